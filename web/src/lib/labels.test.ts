// Labels never overlap and never leave the picture.

import { expect, test } from "vitest";
import { centred, overlap, place, type Wish } from "./labels";

const measure = (text: string) => text.length * 7;
const bounds = { x: 0, y: 0, w: 300, h: 100 };
const wish = (key: string, x: number, rank = 0, more: Partial<Wish> = {}): Wish => ({
  key,
  text: key,
  className: "",
  rank,
  spots: [{ x, y: 50, anchor: "start" }],
  ...more,
});

test("a free spot is taken as it is", () => {
  expect(place([wish("deadline", 10)], [], [], bounds, measure)).toEqual([
    { key: "deadline", text: "deadline", className: "", x: 10, y: 50, anchor: "start" },
  ]);
});

test("the lower rank is placed first, and who has no spot gives way", () => {
  const labels = place([wish("later", 12, 1), wish("first", 10, 0)], [], [], bounds, measure);
  expect(labels.map((label) => label.key)).toEqual(["first"]);
});

test("a taken spot leads to the next, with its own text", () => {
  const short = wish("deadline 45", 10, 1, {
    spots: [
      { x: 10, y: 50, anchor: "start" },
      { x: 10, y: 80, anchor: "start", text: "45" },
    ],
  });
  const labels = place([wish("first", 10), short], [], [], bounds, measure);
  expect(labels[1]).toMatchObject({ text: "45", y: 80 });
});

test("nothing stands on an obstacle or over the edge", () => {
  expect(place([wish("x", 10)], [{ x: 8, y: 40, w: 4, h: 20 }], [], bounds, measure)).toEqual([]);
  expect(place([wish("too far right", 290)], [], [], bounds, measure)).toEqual([]);
});

test("a shape hinders who stands outside, and not who stands inside", () => {
  const shape = { x: 0, y: 30, w: 200, h: 30 };
  expect(place([wish("outside", 10)], [], [shape], bounds, measure)).toEqual([]);
  const within = wish("inside", 10, 0, { spots: [{ x: 10, y: 50, anchor: "start", inside: true }] });
  expect(place([within], [], [shape], bounds, measure)).toHaveLength(1);
});

test("a centred text moves in from the edge", () => {
  expect(centred(2, 50, 40, bounds).x).toBe(24);
  expect(centred(298, 50, 40, bounds).x).toBe(276);
  expect(centred(150, 50, 40, bounds).x).toBe(150);
});

test("boxes that only touch do not overlap", () => {
  expect(overlap({ x: 0, y: 0, w: 10, h: 10 }, { x: 10, y: 0, w: 10, h: 10 })).toBe(false);
  expect(overlap({ x: 0, y: 0, w: 10, h: 10 }, { x: 9, y: 9, w: 10, h: 10 })).toBe(true);
});
