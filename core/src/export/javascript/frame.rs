//! What every exported JavaScript test begins and ends with, as source text.
//!
//! It knows the interface in JavaScript's names, for the reader. It deliberately knows no scenario.

/// What a file says of the queue that it tests.
pub(super) const HEADING: &str = r#"//
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

"#;

/// What a file's assertions share.
pub(super) const HELPERS: &str = r#"
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
"#;
