// Where labels go: none overlaps another, an obstacle, or the edge. It knows boxes. It deliberately does
// not know what a label says.

export type Box = { x: number; y: number; w: number; h: number };

/** A text that wants a place: the first of its spots that is free, or none. */
export type Wish = {
  key: string;
  text: string;
  className: string;
  /** Lower is placed first. */
  rank: number;
  spots: Spot[];
};

/** Where a text could stand: `x` is its left, middle or right, `y` its baseline. Inside a shape of its own,
 * the shapes do not hinder it. */
export type Spot = {
  x: number;
  y: number;
  anchor: Anchor;
  text?: string;
  className?: string;
  inside?: boolean;
};
export type Anchor = "start" | "middle" | "end";
export type Label = { key: string; text: string; className: string; x: number; y: number; anchor: Anchor };

/** How wide a text is in pixels. */
export type Measure = (text: string, className: string) => number;

const ASCENT = 11;
const HEIGHT = 15;
const AIR = 8;

/** Places what can be placed. No text stands on a glyph or on another text, and none outside on a shape. */
export function place(wishes: Wish[], glyphs: Box[], shapes: Box[], bounds: Box, measure: Measure): Label[] {
  const taken = [...glyphs];
  const labels: Label[] = [];
  for (const wish of [...wishes].sort((a, b) => a.rank - b.rank)) {
    for (const spot of wish.spots) {
      const text = spot.text ?? wish.text;
      const className = (spot.className ?? wish.className) + (spot.inside ? " inside" : "");
      const box = boxOf(spot, measure(text, className));
      const hindered =
        taken.some((other) => overlap(box, other)) ||
        (!spot.inside && shapes.some((shape) => overlap(box, shape)));
      if (!within(box, bounds) || hindered) continue;
      taken.push(box);
      labels.push({ key: wish.key, text, className, x: spot.x, y: spot.y, anchor: spot.anchor });
      break;
    }
  }
  return labels;
}

/** A spot for a text centred at `x`, moved as little as needed to stay between two edges. */
export function centred(x: number, y: number, width: number, bounds: Box, text?: string): Spot {
  const half = width / 2 + AIR / 2;
  const moved = Math.min(Math.max(x, bounds.x + half), bounds.x + bounds.w - half);
  return { x: moved, y, anchor: "middle", text };
}

export function overlap(a: Box, b: Box): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

function boxOf({ x, y, anchor }: Spot, width: number): Box {
  const left = anchor === "start" ? x : anchor === "end" ? x - width : x - width / 2;
  return { x: left - AIR / 2, y: y - ASCENT, w: width + AIR, h: HEIGHT };
}

function within(a: Box, b: Box): boolean {
  return a.x >= b.x && a.x + a.w <= b.x + b.w && a.y >= b.y && a.y + a.h <= b.y + b.h;
}
