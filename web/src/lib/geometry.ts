// The picture's measures: lanes, bars, posts and glyphs in pixels, for one step of a run.
// It knows what was known at the step, by comparing step numbers, and draws time to scale. It deliberately
// knows no rule of the queue.

import type { Belief, Chart, Mark, Post, Span } from "../generated/types";
import type { Box } from "./labels";

export type Size = { width: number; height: number };
export type LaneBox = { name: string; top: number; height: number };

export type Frame = {
  /** An instant in milliseconds as a place in pixels. */
  x: (at: number) => number;
  left: number;
  right: number;
  width: number;
  height: number;
  tasks: LaneBox[];
  workers: LaneBox[];
  /** The line between what the queue knows and what the workers believe. */
  divide: number;
  /** The axis' baseline. */
  axis: number;
  ticks: number[];
};

/** Within a task's lane, from its top. */
export const TASK = { posts: 10, glyphs: 22, bar: 42, barHeight: 40, below: 97, height: 106 };
/** Within a worker's lane, from its top. */
export const WORKER = { glyphs: 12, bar: 24, barHeight: 26, below: 63, height: 71 };
export const TOP = 62;
const HALF_TITLE = 34;
/** A lane gives up so much of its air where there is little room. */
const SQUEEZE = -10;
const AXIS = 30;
/** What neither a task nor a worker owns stands on the dividing line. */
export const GLYPH = 17;

export function frame(chart: Chart, { width, height }: Size): Frame {
  const left = width < 480 ? 90 : 100;
  const right = width - (width < 480 ? 16 : 30);
  const needed =
    TOP + chart.tasks.length * TASK.height + HALF_TITLE + chart.workers.length * WORKER.height + AXIS;
  const spare = (height - needed) / Math.max(1, chart.tasks.length + chart.workers.length);
  const more = Math.max(Math.min(spare, 44), SQUEEZE);
  const stack = (names: string[], top: number, each: number) =>
    names.map((name, index) => ({ name, top: top + index * each + more / 2, height: each }));
  const tasks = stack(chart.tasks, TOP, TASK.height + more);
  const divide = TOP + chart.tasks.length * (TASK.height + more);
  const workers = stack(chart.workers, divide + HALF_TITLE, WORKER.height + more);
  const axis = divide + HALF_TITLE + chart.workers.length * (WORKER.height + more) + 8;
  const horizon = Math.max(chart.horizon, 1);
  const x = (instant: number) => left + ((right - left) * instant) / horizon;
  const ticks = ticksUpTo(horizon, (right - left) / TICK_AIR);
  return { x, left, right, width, height: axis + AXIS, tasks, workers, divide, axis, ticks };
}

/** A task that died just now is still to be seen. */
const DEAD_MIN = 30;
/** So is one that became visible just now. */
const VISIBLE_MIN = 16;

/** The least room between two ticks, in pixels. */
const TICK_AIR = 58;
/** Steps that people count time in, in seconds. */
const TICK_STEPS = [
  0.001, 0.01, 0.1, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21600, 86400,
];

/** Instants from 0 to the horizon at a step that people count in, at most so many steps. */
export function ticksUpTo(horizon: number, most: number): number[] {
  const step = 1000 * (TICK_STEPS.find((secs) => horizon / (secs * 1000) <= most) ?? 7 * 86400);
  return Array.from({ length: Math.floor(horizon / step) + 1 }, (_, index) => index * step);
}

/** A bar of a task's lane: what it was, how far it went, and how far it would still go. */
export type Bar = { span: Span; solid: Box; ahead: Box | undefined; over: boolean };

export function bars(chart: Chart, at: Frame, step: number, now: number): Bar[] {
  return chart.spans.filter((span) => span.step <= step).flatMap((span) => bar(span, at, step, now) ?? []);
}

function bar(span: Span, at: Frame, step: number, now: number): Bar | undefined {
  const lane = at.tasks[span.task];
  const over = span.end !== null && span.end.step <= step;
  const end = over && span.end ? span.end.at : Math.max(now, span.from);
  if (!lane || (over && end === span.from)) return undefined;
  const box = (from: number, to: number): Box => ({
    x: at.x(from),
    y: lane.top + TASK.bar,
    w: at.x(to) - at.x(from),
    h: TASK.barHeight,
  });
  const solid = box(span.from, end);
  if (!over)
    solid.w = Math.max(solid.w, { dead: DEAD_MIN, visible: VISIBLE_MIN, leased: 0, delayed: 0 }[span.phase]);
  const ahead = !over && span.until !== null && span.until > end ? box(end, span.until) : undefined;
  return { span, solid, ahead, over };
}

/** A post and what it is at this step. */
export type Standing = {
  post: Post;
  x: number;
  top: number;
  bottom: number;
  state: "ahead" | "reached" | "ghost";
};

export function posts(chart: Chart, at: Frame, step: number, now: number): Standing[] {
  return chart.posts.flatMap((post) => {
    const lane = at.tasks[post.task];
    const ghost = post.gone !== null && post.gone <= step;
    // A post that a heartbeat moved leaves a ghost; one whose lease was answered is gone.
    if (!lane || post.step > step || (ghost && !post.moved)) return [];
    const state = ghost ? "ghost" : post.at <= now ? "reached" : "ahead";
    const bottom = lane.top + TASK.bar + TASK.barHeight + 8;
    return [{ post, x: at.x(post.at), top: lane.top + TASK.bar - 11, bottom, state }];
  });
}

/** What a worker believes, and from where on it is wrong. */
export type Pill = { belief: Belief; sound: Box; wrong: Box | undefined; ends: string; over: boolean };

/** A belief that was wrong for no time at all is still to be seen. */
const WRONG_MIN = 14;

export function pills(chart: Chart, at: Frame, step: number, now: number): Pill[] {
  return chart.beliefs.flatMap((belief) => {
    const lane = at.workers[belief.worker];
    if (!lane || belief.step > step) return [];
    const end = belief.end && belief.end.step <= step ? belief.end : undefined;
    const lost = belief.lost && belief.lost.step <= step ? belief.lost : undefined;
    const until = at.x(end ? end.at : Math.max(now, belief.from));
    const from = at.x(belief.from);
    const y = lane.top + WORKER.bar;
    const soundEnd = lost ? at.x(lost.at) : until;
    const sound = { x: from, y, w: Math.max(soundEnd - from, 6), h: WORKER.barHeight };
    const wrong = lost && { x: soundEnd, y, w: Math.max(until - soundEnd, WRONG_MIN), h: WORKER.barHeight };
    return [{ belief, sound, wrong, ends: end?.how ?? "", over: end !== undefined }];
  });
}

/** A call's glyph, moved aside where several stand at one instant. */
export type Sign = { mark: Mark; x: number; y: number };

export function signs(chart: Chart, at: Frame, step: number): Sign[] {
  const taken = new Map<string, number>();
  return chart.marks.flatMap((mark) => {
    if (mark.step > step) return [];
    return lanesOf(mark).map((lane) => {
      const foot = mark.glyph === "refused" && !lane.worker;
      const y = lane.worker
        ? workerY(at, lane.index)
        : lane.index < 0
          ? at.divide
          : taskY(at, lane.index, foot);
      const key = `${lane.worker}/${lane.index}/${foot}`;
      const x = Math.max(at.x(mark.at), (taken.get(key) ?? Number.NEGATIVE_INFINITY) + GLYPH);
      taken.set(key, x);
      return { mark, x, y };
    });
  });
}

/** A call is drawn where its caller stands, and on the task too if it changed or was refused there. */
function lanesOf(mark: Mark): { worker: boolean; index: number }[] {
  const onTask =
    mark.task !== null && ["enqueue", "complete", "fail", "refused", "heartbeat"].includes(mark.glyph);
  const lanes: { worker: boolean; index: number }[] = [];
  if (onTask && mark.task !== null) lanes.push({ worker: false, index: mark.task });
  if (mark.worker !== null) lanes.push({ worker: true, index: mark.worker });
  if (lanes.length === 0) lanes.push({ worker: false, index: -1 });
  return lanes;
}

/** Above the bar, or, where a late call is stopped, at the post's foot. */
const taskY = (at: Frame, lane: number, foot: boolean) =>
  (at.tasks[lane]?.top ?? 0) + (foot ? TASK.below - 3 : TASK.glyphs);
const workerY = (at: Frame, lane: number) => (at.workers[lane]?.top ?? 0) + WORKER.glyphs;
