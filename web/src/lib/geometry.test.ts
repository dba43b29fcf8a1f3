// Time is drawn to scale, and what is not known yet is not drawn.

import { expect, test } from "vitest";
import type { Chart } from "../generated/types";
import { bars, frame, pills, posts, signs, ticksUpTo } from "./geometry";

const chart: Chart = {
  horizon: 60_000,
  tasks: ["a"],
  workers: ["worker 1"],
  spans: [
    {
      task: 0,
      phase: "visible",
      step: 0,
      from: 0,
      until: null,
      end: { step: 1, at: 0, how: "leased" },
      attempt: 0,
      token: null,
      worker: null,
    },
    {
      task: 0,
      phase: "leased",
      step: 1,
      from: 0,
      until: 30_000,
      end: { step: 2, at: 30_000, how: "expired" },
      attempt: 1,
      token: 1,
      worker: 0,
    },
    {
      task: 0,
      phase: "leased",
      step: 2,
      from: 30_000,
      until: 60_000,
      end: null,
      attempt: 2,
      token: 2,
      worker: 0,
    },
  ],
  posts: [
    { task: 0, token: 1, at: 30_000, step: 1, gone: null, moved: false },
    { task: 0, token: 2, at: 60_000, step: 2, gone: null, moved: false },
  ],
  beliefs: [
    {
      worker: 0,
      task: 0,
      token: 1,
      step: 1,
      from: 0,
      lost: { step: 2, at: 30_000, how: "expired" },
      end: null,
    },
  ],
  marks: [
    { step: 1, at: 0, glyph: "poll", task: 0, worker: 0, by: "worker 1", text: "Poll" },
    { step: 2, at: 30_000, glyph: "poll", task: 0, worker: 0, by: "worker 1", text: "Poll" },
    { step: 2, at: 30_000, glyph: "look", task: null, worker: null, by: "operator", text: "DLQ" },
  ],
};
const at = frame(chart, { width: 700, height: 600 });

test("time is drawn to scale", () => {
  expect(at.x(0)).toBe(at.left);
  expect(at.x(60_000)).toBe(at.right);
  expect(at.x(30_000)).toBe((at.left + at.right) / 2);
});

test("ticks stand at steps that people count in", () => {
  expect(ticksUpTo(105_000, 9)).toEqual([0, 15_000, 30_000, 45_000, 60_000, 75_000, 90_000, 105_000]);
  expect(ticksUpTo(105_000, 4)).toEqual([0, 30_000, 60_000, 90_000]);
  expect(ticksUpTo(0.5, 10)).toEqual([0]);
});

test("a lease is solid up to now and dashed up to its deadline; what comes later is not drawn", () => {
  const [lease, ...later] = bars(chart, at, 1, 10_000);
  expect(later).toEqual([]);
  expect(lease?.solid.w).toBeCloseTo(at.x(10_000) - at.left);
  expect(lease?.ahead?.w).toBeCloseTo(at.x(30_000) - at.x(10_000));
});

test("what has ended is solid to its end", () => {
  const [first, second] = bars(chart, at, 2, 30_000);
  expect([first?.ahead, first?.over]).toEqual([undefined, true]);
  expect(second?.ahead?.w).toBeCloseTo(at.x(60_000) - at.x(30_000));
});

test("a post is reached at its deadline, and ahead before it", () => {
  expect(posts(chart, at, 1, 29_999).map((post) => post.state)).toEqual(["ahead"]);
  expect(posts(chart, at, 2, 30_000).map((post) => post.state)).toEqual(["reached", "ahead"]);
});

test("a belief that was lost just now is still to be seen", () => {
  expect(pills(chart, at, 1, 10_000)[0]?.wrong).toBeUndefined();
  const wrong = pills(chart, at, 2, 30_000)[0]?.wrong;
  expect(wrong?.x).toBe(at.x(30_000));
  expect(wrong?.w).toBeGreaterThan(8);
});

test("calls at one instant stand side by side, and nobody's call on the dividing line", () => {
  const all = signs(chart, at, 2);
  expect(all).toHaveLength(3);
  expect(all[2]?.y).toBe(at.divide);
  expect(signs(chart, at, 1)).toHaveLength(1);
});
