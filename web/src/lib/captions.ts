// What the picture's texts say and where they would like to stand. It knows bars, posts and beliefs as they
// are drawn. It deliberately decides no collision: `labels` does.

import type { Chart } from "../generated/types";
import { secs } from "./format";
import {
  type Bar,
  type Frame,
  GLYPH,
  type Pill,
  type Sign,
  type Standing,
  TASK,
  TOP,
  WORKER,
} from "./geometry";
import { type Box, centred, type Label, type Measure, place, type Spot, type Wish } from "./labels";

export type Drawn = { bars: Bar[]; posts: Standing[]; pills: Pill[]; signs: Sign[] };

const INSIDE = 8;

export function captions(chart: Chart, at: Frame, step: number, drawn: Drawn, measure: Measure): Label[] {
  const bounds: Box = { x: at.left - 12, y: TOP - 14, w: at.width - at.left + 6, h: at.axis - TOP + 14 };
  const wishes = [
    ...drawn.bars.flatMap((bar) => barWishes(bar, bounds, measure)),
    ...drawn.posts.flatMap((post) => postWishes(post, bounds, measure)),
    ...drawn.pills.flatMap((pill) => pillWishes(pill, chart, measure)),
    ...doneWishes(chart, at, step),
  ];
  const glyphs = drawn.signs.map(({ x, y }) => ({ x: x - GLYPH / 2, y: y - GLYPH / 2, w: GLYPH, h: GLYPH }));
  const shapes = [
    ...drawn.bars.flatMap(({ solid, ahead }) => (ahead ? [solid, ahead] : [solid])),
    ...drawn.pills.flatMap(({ sound, wrong }) => (wrong ? [sound, wrong] : [sound])),
  ];
  return place(wishes, glyphs, shapes, bounds, measure);
}

/** Two lines inside the wider part of the bar, or one below it. */
function barWishes({ span, solid, ahead, over }: Bar, bounds: Box, measure: Measure): Wish[] {
  const key = `bar-${span.task}-${span.step}-${span.phase}`;
  const below = solid.y - TASK.bar + TASK.below;
  if (span.phase !== "leased") {
    const text = {
      delayed: `retry at ${secs(span.until ?? 0)}`,
      visible: "visible",
      dead: `dead since ${secs(span.from)}`,
    }[span.phase];
    const whole = solid.w + (ahead?.w ?? 0);
    const spots: Spot[] = [
      centred(solid.x + whole / 2, below, measure(text, "note"), bounds),
      { x: solid.x, y: below, anchor: "start" },
      { x: solid.x + whole + 8, y: below, anchor: "start" },
    ];
    return over && span.phase !== "delayed" ? [] : [{ key, text, className: "note", rank: 3, spots }];
  }
  const [first, second] = [`token ${span.token}`, `attempt ${span.attempt}`];
  const roomy = [solid, ahead].find((box) => box && box.w >= measure(first, "first") + 4);
  if (!roomy)
    return [{ key, text: first, className: "note", rank: 2, spots: outside(solid, first, span.worker) }];
  const tone = roomy === solid ? onWorker(span.worker) : "on-ahead";
  const line = (name: string, text: string, y: number): Wish => {
    const air = Math.min(INSIDE + (roomy === ahead ? 4 : 0), (roomy.w - measure(text, name)) / 2);
    const spot: Spot = { x: roomy.x + air, y, anchor: "start", inside: true };
    return { key: `${key}-${name}`, text, className: `${name} ${tone}`, rank: 0, spots: [spot] };
  };
  const both = roomy.w >= measure(second, "second") + 4;
  return both
    ? [line("first", first, roomy.y + 17), line("second", second, roomy.y + 32)]
    : [line("first", first, roomy.y + 25)];
}

/** Where a lease too short for its text says which it is: below it, or inside in fewer letters. */
function outside({ x, y, w, h }: Box, first: string, worker: number | null): Spot[] {
  const below = y - TASK.bar + TASK.below;
  const short = first.replace("token ", "");
  return [
    { x, y: below, anchor: "start", text: first },
    {
      x: x + w / 2,
      y: y + h / 2 + 4,
      anchor: "middle",
      text: short,
      className: `first ${onWorker(worker)}`,
      inside: true,
    },
  ];
}

const onWorker = (worker: number | null) => `on-w${(worker ?? 0) % 6}`;

function postWishes({ post, x, top, state }: Standing, bounds: Box, measure: Measure): Wish[] {
  if (state === "ghost") return [];
  const y = top - 6;
  const [long, short] = [`deadline ${secs(post.at)}`, secs(post.at)];
  const spots = [
    centred(x, y, measure(long, "note"), bounds, long),
    centred(x, y, measure(short, "note"), bounds, short),
  ];
  return [{ key: `post-${post.task}-${post.step}`, text: long, className: `note ${state}`, rank: 1, spots }];
}

function pillWishes({ belief, sound, wrong, ends, over }: Pill, chart: Chart, measure: Measure): Wish[] {
  const task = chart.tasks[belief.task] ?? "";
  const key = `pill-${belief.worker}-${belief.step}`;
  const y = sound.y + 17;
  const says = wrong ? `works on ${task}` : over ? `${task}, ${ends}` : `works on ${task}`;
  const tone = `text-w${belief.worker % 6}`;
  const inside: Spot[] =
    says && sound.w >= measure(says, "note") + 2 * INSIDE
      ? [{ x: sound.x + INSIDE, y, anchor: "start", inside: true }]
      : [];
  const right = (wrong ? wrong.x + wrong.w : sound.x + sound.w) + 6;
  const below = sound.y - WORKER.bar + WORKER.below;
  const outside: Spot[] = wrong
    ? [{ x: sound.x, y: below, anchor: "start", text: `${says}` }]
    : [
        { x: right, y, anchor: "start" },
        { x: sound.x, y: below, anchor: "start" },
        { x: sound.x + sound.w, y: below, anchor: "end" },
      ];
  const wishes: Wish[] = [
    { key, text: says, className: `note ${tone}`, rank: 4, spots: [...inside, ...outside] },
  ];
  if (wrong) {
    const text =
      ends === "refused"
        ? `still believed it owned ${task}`
        : over
          ? `${ends} too late`
          : `still believes it owns ${task}`;
    const spots: Spot[] = [
      { x: right, y, anchor: "start" },
      { x: wrong.x + wrong.w, y: below, anchor: "end" },
      { x: wrong.x, y: below, anchor: "start" },
      {
        x: wrong.x + wrong.w,
        y: below,
        anchor: "end",
        text: ends === "refused" ? "refused" : "still believes",
      },
    ];
    wishes.push({ key: `${key}-wrong`, text, className: "first wrong", rank: 1, spots });
  }
  return wishes;
}

/** A task that left says so where it left. */
function doneWishes(chart: Chart, at: Frame, step: number): Wish[] {
  return chart.spans.flatMap((span) => {
    const lane = at.tasks[span.task];
    const done = span.end && span.end.step <= step && span.end.how === "completed" ? span.end : undefined;
    if (!lane || !done) return [];
    const y = lane.top + TASK.bar + 25;
    const text = `done at ${secs(done.at)}, token ${span.token}`;
    const x = at.x(done.at);
    const spots: Spot[] = [
      { x: x + 22, y, anchor: "start" },
      { x: x - 22, y, anchor: "end" },
    ];
    return [{ key: `done-${span.task}-${span.step}`, text, className: "note", rank: 2, spots }];
  });
}
