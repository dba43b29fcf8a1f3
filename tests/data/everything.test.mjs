// Everything a scenario can hold
// Source: a test's. A scenario of Fencepost as a test of your own queue.
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

test("Everything a scenario can hold", async () => {
  const clock = { time: 0, now: () => clock.time };
  const queue = await open({ visibility: 30000, maxAttempts: 2, clock });
  // producer, Enqueue(a): added
  await queue.enqueue("data", { id: "a", payload: "resize photo 7" });
  // producer, Enqueue(a): already held, visible
  await queue.enqueue("data", { id: "a" });
  // producer, Enqueue(m) on mail: added
  await queue.enqueue("mail", { id: "m", maxAttempts: 1, visibility: 1500 });
  // worker 1, Poll: a, attempt 1, token 1, deadline 30
  sameLease(await queue.poll("data", "worker 1", 0), { task: "a", attempt: 1, token: 1, deadline: 30000, payload: "resize photo 7" });

  // 1 s
  clock.time = 1000;
  // producer, Enqueue(b): added
  await queue.enqueue("data", { id: "b" });
  // worker 2, Poll: b, attempt 1, token 2, deadline 31
  sameLease(await queue.poll("data", "worker 2", 0), { task: "b", attempt: 1, token: 2, deadline: 31000 });
  // worker 2, Complete(b, token 2): ok, b leaves
  await queue.complete(leaseOf("data", "b", 2));

  // 2 s
  clock.time = 2000;
  // worker 3, Poll on mail: m, attempt 1, token 3, deadline 3.5
  sameLease(await queue.poll("mail", "worker 3", 0), { task: "m", attempt: 1, token: 3, deadline: 3500 });
  // worker 3, Check(m, token 3) on mail: live
  await queue.check(leaseOf("mail", "m", 3));

  // 3.5 s
  clock.time = 3500;
  // worker 3, Check(m, token 3) on mail: LeaseLost
  await refused("LeaseLost", () => queue.check(leaseOf("mail", "m", 3)));
  // operator, DLQ on mail: m, 1 attempt, at 3.5
  sameLetters(await queue.dlq("mail"), [{ task: "m", attempts: 1, at: 3500 }]);
  // operator, Redrive(m, unknown) on mail: NotFound
  await refused("NotFound", () => queue.redrive("mail", "m", "unknown"));
  // operator, Redrive(m) on mail: 1 redriven
  assert.equal(await queue.redrive("mail", "m"), 1);
  // operator, Depth on mail: 1 visible, 0 delayed, 0 leased, 0 dead
  sameDepth(await queue.depth("mail"), { visible: 1, leased: 0, dead: 0 });

  // 20 s
  clock.time = 20000;
  // worker 1, Heartbeat(a, token 1): ok, deadline 50
  sameLease(await queue.heartbeat(leaseOf("data", "a", 1), "half of it"), { task: "a", attempt: 1, token: 1, deadline: 50000, payload: "resize photo 7", details: "half of it" });
  // not in this API: operator, The log fails: from now on
  // not in this API: worker 1, Complete(a, token 1): refused: log full: it holds 9 records and takes no more; nothing changed, make room and call again
  // not in this API: producer, Enqueue(c): refused: log full: it holds 9 records and takes no more; nothing changed, make room and call again
  // not in this API: operator, The log works: from now on
  // not in this API: operator, Crash, then Open: open again
  // operator, Depth: 0 visible, 0 delayed, 1 leased, 0 dead
  sameDepth(await queue.depth("data"), { visible: 0, leased: 1, dead: 0 });

  // 50 s
  clock.time = 50000;
  // worker 2, Poll: a, attempt 2, token 4, deadline 80
  sameLease(await queue.poll("data", "worker 2", 0), { task: "a", attempt: 2, token: 4, deadline: 80000, payload: "resize photo 7", details: "half of it" });
  // worker 1, Complete(a, token 1): LeaseLost
  await refused("LeaseLost", () => queue.complete(leaseOf("data", "a", 1)));
  // worker 2, Fail(a, token 4, retry after 5 s): DeadLettered
  assert.equal(await queue.fail(leaseOf("data", "a", 4), { message: "no space left", retryAfter: 5000 }), "DeadLettered");
  // operator, DLQ: a, 2 attempts, at 50
  sameLetters(await queue.dlq("data"), [{ task: "a", attempts: 2, at: 50000, lastError: "no space left" }]);
  // operator, Redrive: 1 redriven
  assert.equal(await queue.redrive("data"), 1);
  // worker 2, Poll(wait 0 s): a, attempt 1, token 5, deadline 80
  sameLease(await queue.poll("data", "worker 2", 0), { task: "a", attempt: 1, token: 5, deadline: 80000, payload: "resize photo 7" });
  // worker 1, Complete(a, token 5): ok, a leaves
  await queue.complete(leaseOf("data", "a", 5));

  // 51 s
  clock.time = 51000;
  // producer, Enqueue(d): added
  await queue.enqueue("data", { id: "d" });
  // worker 1, Poll: d, attempt 1, token 6, deadline 81
  sameLease(await queue.poll("data", "worker 1", 0), { task: "d", attempt: 1, token: 6, deadline: 81000 });
  // worker 1, Fail(d, token 6, retry after 0.25 s): Retrying, visible at 51.25
  assert.equal(await queue.fail(leaseOf("data", "d", 6), { message: "busy", retryAfter: 250 }), "Retrying");
  // worker 1, Poll: NoTask
  await refused("NoTask", () => queue.poll("data", "worker 1", 0));

  // 51.25 s
  clock.time = 51250;
  // worker 1, Poll: d, attempt 2, token 7, deadline 81.25
  sameLease(await queue.poll("data", "worker 1", 0), { task: "d", attempt: 2, token: 7, deadline: 81250 });
  // worker 1, Fail(d, token 7, non-retryable): Dropped
  assert.equal(await queue.fail(leaseOf("data", "d", 7), { message: "bad input", nonRetryable: true }), "Dropped");
  // operator, Depth: 0 visible, 0 delayed, 0 leased, 0 dead
  sameDepth(await queue.depth("data"), { visible: 0, leased: 0, dead: 0 });
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
