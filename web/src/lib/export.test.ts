// Exported JavaScript tests, run under Node as their reader would: they pass with a right queue, and notice a
// wrong one. The texts are the kept ones of tests/data, which the Rust tests compare with what core writes.

/// <reference types="node" />

import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const data = fileURLToPath(new URL("../../../tests/data/", import.meta.url));
const rightQueue = readFileSync(join(data, "queue.js"), "utf8");

/** Runs one kept test on a queue, in a folder of its own. */
function run(name: string, queue = rightQueue) {
  const folder = mkdtempSync(join(tmpdir(), "fencepost-export-"));
  try {
    copyFileSync(join(data, name), join(folder, name));
    writeFileSync(join(folder, "queue.js"), queue);
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    // A runner that finds itself inside another runner's test reports to that one instead.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const options = { cwd: folder, encoding: "utf8", timeout: 30_000, env } as const;
    const { status, stdout } = spawnSync(process.execPath, ["--test", "--test-reporter=tap", name], options);
    return { status, stdout };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The queue with one of its lines changed. */
function spoilt(line: string, wrong: string): string {
  expect(rightQueue.split(line), `"${line}" stands once in queue.js`).toHaveLength(2);
  return rightQueue.replace(line, () => wrong);
}

test.each(["section-3.test.mjs", "everything.test.mjs", "hostile.test.mjs"])(
  "%s passes with a right queue",
  (name) => {
    const { status, stdout } = run(name);
    expect(stdout).toContain("# pass 1\n# fail 0");
    expect(status).toBe(0);
  },
);

test.each([
  ["section-3.test.mjs", "a retry's delay is ignored", "clock.now() + retryAfter", "clock.now()"],
  [
    "section-3.test.mjs",
    "a lease lives at its deadline",
    "clock.now() < one.deadline",
    "clock.now() <= one.deadline",
  ],
  ["section-3.test.mjs", "the token is not compared", " && one.token === token", ""],
  ["section-3.test.mjs", "a redrive keeps the old count", "attempt: 0, details: undefined };", "};"],
  ["everything.test.mjs", "details are lost", "details ?? one.details", "undefined"],
  ["everything.test.mjs", "a duplicate replaces the task", "if (held.has(id)) return;", ""],
  ["everything.test.mjs", "an unknown id is ignored", "if (unknown !== undefined)", "if (false)"],
  ["everything.test.mjs", "a failure for good is retried", "if (nonRetryable)", "if (false)"],
])("%s notices that %s", (name, _, line, wrong) => {
  const { status, stdout } = run(name, spoilt(line, wrong));
  expect(stdout).toContain("# pass 0\n# fail 1");
  expect(status).toBe(1);
});

test("what may stand in a page ends no script there", () => {
  const text = readFileSync(join(data, "hostile.test.mjs"), "utf8");
  expect(text).not.toMatch(/<\/script|<!--/i);
});
