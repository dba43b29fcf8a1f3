// The worked example, by hand
// Source: queue chapter, section 3. A scenario of Fencepost as a test of your own queue.
//
// The queue is the one that ./queue.js opens: open({ visibility, maxAttempts, clock }), all times in ms, with
//   enqueue(name, { id, payload, maxAttempts, visibility })  the last three may be missing: the defaults
//   poll(name, worker, waitMs)  a lease: { queue, task: { id, payload }, token, attempt, deadline, details }
//   check(lease)  heartbeat(lease, details), the lease with its new deadline  complete(lease)
//   fail(lease, { message, nonRetryable, retryAfter })  "Retrying", "DeadLettered" or "Dropped"; the last two
//     fields may be missing: false and 0
//   dlq(name)  dead letters in enqueue order: { task: { id }, attempts, lastError, at }
//   redrive(name, ...ids)  how many; no id is all   depth(name)  { visible, leased, dead }
// A lease is known by its queue, task.id and token alone. A refusal is a thrown error whose code is "NoTask",
// "LeaseLost" or "NotFound". clock.now() is the time. Any of them may be async.

import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "./queue.js";

test("The worked example, by hand", async () => {
  const clock = { time: 0, now: () => clock.time };
  const queue = await open({ visibility: 30000, maxAttempts: 3, clock });
  // producer, Enqueue(a): added
  await queue.enqueue("data", { id: "a" });
  // producer, Enqueue(b): added
  await queue.enqueue("data", { id: "b" });
  // worker 1, Poll: a, attempt 1, token 1, deadline 30
  sameLease(await queue.poll("data", "worker 1", 0), { task: "a", attempt: 1, token: 1, deadline: 30000 });
  // worker 2, Poll: b, attempt 1, token 2, deadline 30
  sameLease(await queue.poll("data", "worker 2", 0), { task: "b", attempt: 1, token: 2, deadline: 30000 });
  // worker 2, Complete(b, token 2): ok, b leaves
  await queue.complete(leaseOf("data", "b", 2));

  // 10 s
  clock.time = 10000;
  // worker 1, Fail(a, token 1, retry after 5 s): Retrying, visible at 15
  assert.equal(await queue.fail(leaseOf("data", "a", 1), { message: "no answer from the mail host", retryAfter: 5000 }), "Retrying");
  // worker 2, Poll: NoTask
  await refused("NoTask", () => queue.poll("data", "worker 2", 0));

  // 15 s
  clock.time = 15000;
  // worker 2, Poll: a, attempt 2, token 3, deadline 45
  sameLease(await queue.poll("data", "worker 2", 0), { task: "a", attempt: 2, token: 3, deadline: 45000 });

  // 45 s
  clock.time = 45000;
  // worker 3, Poll: a, attempt 3, token 4, deadline 75
  sameLease(await queue.poll("data", "worker 3", 0), { task: "a", attempt: 3, token: 4, deadline: 75000 });
  // worker 2, Complete(a, token 3): LeaseLost
  await refused("LeaseLost", () => queue.complete(leaseOf("data", "a", 3)));

  // 75 s
  clock.time = 75000;
  // worker 1, Poll: NoTask
  await refused("NoTask", () => queue.poll("data", "worker 1", 0));
  // operator, DLQ: a, 3 attempts, at 75
  sameLetters(await queue.dlq("data"), [{ task: "a", attempts: 3, at: 75000 }]);
  // operator, Redrive: 1 redriven
  assert.equal(await queue.redrive("data"), 1);
  // worker 1, Poll: a, attempt 1, token 5, deadline 105
  sameLease(await queue.poll("data", "worker 1", 0), { task: "a", attempt: 1, token: 5, deadline: 105000 });
});

// A lease, rebuilt from what it is known by.
function leaseOf(queue, id, token) {
  return { queue, task: { id }, token };
}

// No payload and no details may be missing or empty.
function sameLease({ task, attempt, token, deadline, details }, expected) {
  const seen = { task: task.id, attempt, token, deadline, payload: task.payload ?? "", details: details ?? "" };
  assert.deepEqual(seen, { payload: "", details: "", ...expected });
}

// The last error is compared where a worker gave one.
function sameLetters(letters, expected) {
  const seen = letters.map(({ task, attempts, at, lastError }, place) =>
    expected[place]?.lastError === undefined
      ? { task: task.id, attempts, at }
      : { task: task.id, attempts, at, lastError },
  );
  assert.deepEqual(seen, expected);
}

function sameDepth({ visible, leased, dead }, expected) {
  assert.deepEqual({ visible, leased, dead }, expected);
}

async function refused(code, call) {
  await assert.rejects(async () => await call(), { code });
}
