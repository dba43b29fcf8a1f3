// The address, read and written.

import { describe, expect, test } from "vitest";
import { readRoute, writeRoute } from "./route";

describe("an address", () => {
  test("that is empty is the start", () => {
    for (const hash of ["", "#", "#/"])
      expect(readRoute(hash, 11)).toEqual({ scenario: "section-3", row: 0 });
  });

  test("is read as it was written", () => {
    for (const row of [0, 1, 8, 11]) {
      expect(readRoute(writeRoute({ scenario: "section-3", row }), 11)).toEqual({
        scenario: "section-3",
        row,
      });
    }
  });

  test("that leads nowhere is the start, and says so", () => {
    const bad = [
      "#/nowhere",
      "#/walkthrough/other",
      "#/walkthrough/section-3?row=-1",
      "#/walkthrough/section-3?row=x",
      "#<b>",
    ];
    for (const hash of bad) {
      const route = readRoute(hash, 11);
      expect(route.row).toBe(0);
      expect(route.problem).toContain("leads nowhere");
    }
  });

  test("of a row past the last is the last, and says so", () => {
    expect(readRoute("#/walkthrough/section-3?row=12", 11)).toMatchObject({
      row: 11,
      problem: expect.stringContaining("11 rows"),
    });
  });
});
