// Wasm is native, to the bit: seeds come to the digests that the native tests wrote down.
//
// It knows how to load the core under Node. It deliberately knows no digest.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { type ChaosCounts, chaos, explore, initSync } from "../generated/wasm/fencepost_wasm";

const here = import.meta.dirname;
const lines = readFileSync(resolve(here, "../../../tests/data/parity.txt"), "utf8").trim().split("\n");

beforeAll(() => {
  initSync({ module: readFileSync(resolve(here, "../generated/wasm/fencepost_wasm_bg.wasm")) });
});

describe("chaos under wasm", () => {
  it.each(lines)("%s", (line) => {
    const [rules = "", from, to, digest, calls, red] = line.split(" ");
    const counts = chaos(Number(from), Number(to), rules === "chapter" ? undefined : rules);
    expect(counts.refused).toBeUndefined();
    const { digest: came, calls: called, red: ended } = counts as ChaosCounts;
    expect([came, called, ended]).toEqual([digest, Number(calls), Number(red)]);
  });

  it("knows all the rules there are", () => {
    expect(lines).toHaveLength(1 + 19);
    expect(chaos(0, 1, "s99")).toEqual({ refused: expect.stringContaining("s01 to s19") });
  });
});

describe("exploring under wasm", () => {
  it("counts what is counted natively", () => {
    expect(explore(2, 1, 1)).toEqual({ states: 19_608, transitions: 118_216, depth: 16, found: null });
  });

  it("finds what is found natively, and refuses what has no room", () => {
    const found = explore(2, 2, 2, "s16");
    expect(found).toMatchObject({ found: expect.stringContaining("tokens only rise (row 4)") });
    expect(explore(9, 1, 1)).toEqual({ refused: "tasks: 1 to 3, here 9; choose a smaller scope" });
  });
});
