// Hostile "text" \\ */ <\/script> | \n \u{2028} \u{202e} {0}
// Source: x\r\n*/ // `<\!--` é |. A scenario of Fencepost as a test of your own queue.
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

test("Hostile \"text\" \\ */ \x3C/script> | \n \u{2028} \u{202e} {0}", async () => {
  const clock = { time: 0, now: () => clock.time };
  const queue = await open({ visibility: 30000, maxAttempts: 1, clock });
  // pro"ducer\n|, Enqueue(a"b): added
  await queue.enqueue("q\"|\x3C/script>\\\n", { id: "a\"b", payload: "payload of a\"b" });
  // pro"ducer\n|, Enqueue(back\\slash\\): added
  await queue.enqueue("q\"|\x3C/script>\\\n", { id: "back\\slash\\", payload: "payload of back\\slash\\" });
  // pro"ducer\n|, Enqueue(two\nlines\r\n): added
  await queue.enqueue("q\"|\x3C/script>\\\n", { id: "two\nlines\r\n", payload: "payload of two\nlines\r\n" });
  // pro"ducer\n|, Enqueue(pipe|cell): added
  await queue.enqueue("q\"|\x3C/script>\\\n", { id: "pipe|cell", payload: "payload of pipe|cell" });
  // pro"ducer\n|, Enqueue(é 漢字 🦀 हिन्दी): added
  await queue.enqueue("q\"|\x3C/script>\\\n", { id: "é 漢字 🦀 हिन्दी", payload: "payload of é 漢字 🦀 हिन्दी" });
  // pro"ducer\n|, Enqueue(*/ /* // */): added
  await queue.enqueue("q\"|\x3C/script>\\\n", { id: "*/ /* // */", payload: "payload of */ /* // */" });
  // pro"ducer\n|, Enqueue(<\/script><\!-- & <b>): added
  await queue.enqueue("q\"|\x3C/script>\\\n", { id: "\x3C/script>\x3C!-- & \x3Cb>", payload: "payload of \x3C/script>\x3C!-- & \x3Cb>" });
  // pro"ducer\n|, Enqueue(\u{202e}abc\u{2028}\u{2029}\u{feff}): added
  await queue.enqueue("q\"|\x3C/script>\\\n", { id: "\u{202e}abc\u{2028}\u{2029}\u{feff}", payload: "payload of \u{202e}abc\u{2028}\u{2029}\u{feff}" });
  // pro"ducer\n|, Enqueue(\u{0}\u{7}\u{1b}[31m\u{7f}): added
  await queue.enqueue("q\"|\x3C/script>\\\n", { id: "\u{0}\u{7}\u{1b}[31m\u{7f}", payload: "payload of \u{0}\u{7}\u{1b}[31m\u{7f}" });
  // pro"ducer\n|, Enqueue('`${1}`'): added
  await queue.enqueue("q\"|\x3C/script>\\\n", { id: "'`${1}`'", payload: "payload of '`${1}`'" });
  // pro"ducer\n|, Enqueue({by} %s $& {0}): added
  await queue.enqueue("q\"|\x3C/script>\\\n", { id: "{by} %s $& {0}", payload: "payload of {by} %s $& {0}" });
  // pro"ducer\n|, Enqueue(__proto__): added
  await queue.enqueue("q\"|\x3C/script>\\\n", { id: "__proto__", payload: "payload of __proto__" });
  // pro"ducer\n|, Enqueue( ): added
  await queue.enqueue("q\"|\x3C/script>\\\n", { id: " ", payload: "payload of  " });
  // pro"ducer\n|, Enqueue(\\u{41}\\x41\\n): added
  await queue.enqueue("q\"|\x3C/script>\\\n", { id: "\\u{41}\\x41\\n", payload: "payload of \\u{41}\\x41\\n" });
  // pro"ducer\n|, Enqueue(> ENQ x): added
  await queue.enqueue("q\"|\x3C/script>\\\n", { id: "> ENQ x", payload: "payload of > ENQ x" });
  // pro"ducer\n|, Enqueue(# _*[~]*_): added
  await queue.enqueue("q\"|\x3C/script>\\\n", { id: "# _*[~]*_", payload: "payload of # _*[~]*_" });
  // pro"ducer\n|, Enqueue(́e): added
  await queue.enqueue("q\"|\x3C/script>\\\n", { id: "́e", payload: "payload of ́e" });
  // __proto__, Enqueue(x<\/script>): added
  await queue.enqueue("q\"|\x3C/script>\\\n", { id: "x\x3C/script>" });
  // w\n> DEQ, Poll: a"b, attempt 1, token 1, deadline 30
  sameLease(await queue.poll("q\"|\x3C/script>\\\n", "w\n> DEQ", 0), { task: "a\"b", attempt: 1, token: 1, deadline: 30000, payload: "payload of a\"b" });
  // w\n> DEQ, Heartbeat(a"b, token 1): ok, deadline 30
  sameLease(await queue.heartbeat(leaseOf("q\"|\x3C/script>\\\n", "a\"b", 1), "details of a\"b"), { task: "a\"b", attempt: 1, token: 1, deadline: 30000, payload: "payload of a\"b", details: "details of a\"b" });
  // w\n> DEQ, Fail(a"b, token 1, retry after 1 s): DeadLettered
  assert.equal(await queue.fail(leaseOf("q\"|\x3C/script>\\\n", "a\"b", 1), { message: "error of a\"b", retryAfter: 1000 }), "DeadLettered");

  // 0.01 s
  clock.time = 10;
  // <\/script>, Poll: back\\slash\\, attempt 1, token 2, deadline 30.01
  sameLease(await queue.poll("q\"|\x3C/script>\\\n", "\x3C/script>", 0), { task: "back\\slash\\", attempt: 1, token: 2, deadline: 30010, payload: "payload of back\\slash\\" });
  // <\/script>, Heartbeat(back\\slash\\, token 2): ok, deadline 30.01
  sameLease(await queue.heartbeat(leaseOf("q\"|\x3C/script>\\\n", "back\\slash\\", 2), "details of back\\slash\\"), { task: "back\\slash\\", attempt: 1, token: 2, deadline: 30010, payload: "payload of back\\slash\\", details: "details of back\\slash\\" });
  // <\/script>, Complete(back\\slash\\, token 2): ok, back\\slash\\ leaves
  await queue.complete(leaseOf("q\"|\x3C/script>\\\n", "back\\slash\\", 2));

  // 0.02 s
  clock.time = 20;
  // */, Poll: two\nlines\r\n, attempt 1, token 3, deadline 30.02
  sameLease(await queue.poll("q\"|\x3C/script>\\\n", "*/", 0), { task: "two\nlines\r\n", attempt: 1, token: 3, deadline: 30020, payload: "payload of two\nlines\r\n" });
  // */, Heartbeat(two\nlines\r\n, token 3): ok, deadline 30.02
  sameLease(await queue.heartbeat(leaseOf("q\"|\x3C/script>\\\n", "two\nlines\r\n", 3), "details of two\nlines\r\n"), { task: "two\nlines\r\n", attempt: 1, token: 3, deadline: 30020, payload: "payload of two\nlines\r\n", details: "details of two\nlines\r\n" });
  // */, Fail(two\nlines\r\n, token 3, retry after 1 s): DeadLettered
  assert.equal(await queue.fail(leaseOf("q\"|\x3C/script>\\\n", "two\nlines\r\n", 3), { message: "error of two\nlines\r\n", retryAfter: 1000 }), "DeadLettered");

  // 0.03 s
  clock.time = 30;
  // `|\\, Poll: pipe|cell, attempt 1, token 4, deadline 30.03
  sameLease(await queue.poll("q\"|\x3C/script>\\\n", "`|\\", 0), { task: "pipe|cell", attempt: 1, token: 4, deadline: 30030, payload: "payload of pipe|cell" });
  // `|\\, Heartbeat(pipe|cell, token 4): ok, deadline 30.03
  sameLease(await queue.heartbeat(leaseOf("q\"|\x3C/script>\\\n", "pipe|cell", 4), "details of pipe|cell"), { task: "pipe|cell", attempt: 1, token: 4, deadline: 30030, payload: "payload of pipe|cell", details: "details of pipe|cell" });
  // `|\\, Complete(pipe|cell, token 4): ok, pipe|cell leaves
  await queue.complete(leaseOf("q\"|\x3C/script>\\\n", "pipe|cell", 4));

  // 0.04 s
  clock.time = 40;
  // w\n> DEQ, Poll: é 漢字 🦀 हिन्दी, attempt 1, token 5, deadline 30.04
  sameLease(await queue.poll("q\"|\x3C/script>\\\n", "w\n> DEQ", 0), { task: "é 漢字 🦀 हिन्दी", attempt: 1, token: 5, deadline: 30040, payload: "payload of é 漢字 🦀 हिन्दी" });
  // w\n> DEQ, Heartbeat(é 漢字 🦀 हिन्दी, token 5): ok, deadline 30.04
  sameLease(await queue.heartbeat(leaseOf("q\"|\x3C/script>\\\n", "é 漢字 🦀 हिन्दी", 5), "details of é 漢字 🦀 हिन्दी"), { task: "é 漢字 🦀 हिन्दी", attempt: 1, token: 5, deadline: 30040, payload: "payload of é 漢字 🦀 हिन्दी", details: "details of é 漢字 🦀 हिन्दी" });
  // w\n> DEQ, Fail(é 漢字 🦀 हिन्दी, token 5, retry after 1 s): DeadLettered
  assert.equal(await queue.fail(leaseOf("q\"|\x3C/script>\\\n", "é 漢字 🦀 हिन्दी", 5), { message: "error of é 漢字 🦀 हिन्दी", retryAfter: 1000 }), "DeadLettered");

  // 0.05 s
  clock.time = 50;
  // <\/script>, Poll: */ /* // */, attempt 1, token 6, deadline 30.05
  sameLease(await queue.poll("q\"|\x3C/script>\\\n", "\x3C/script>", 0), { task: "*/ /* // */", attempt: 1, token: 6, deadline: 30050, payload: "payload of */ /* // */" });
  // <\/script>, Heartbeat(*/ /* // */, token 6): ok, deadline 30.05
  sameLease(await queue.heartbeat(leaseOf("q\"|\x3C/script>\\\n", "*/ /* // */", 6), "details of */ /* // */"), { task: "*/ /* // */", attempt: 1, token: 6, deadline: 30050, payload: "payload of */ /* // */", details: "details of */ /* // */" });
  // <\/script>, Complete(*/ /* // */, token 6): ok, */ /* // */ leaves
  await queue.complete(leaseOf("q\"|\x3C/script>\\\n", "*/ /* // */", 6));

  // 0.06 s
  clock.time = 60;
  // */, Poll: <\/script><\!-- & <b>, attempt 1, token 7, deadline 30.06
  sameLease(await queue.poll("q\"|\x3C/script>\\\n", "*/", 0), { task: "\x3C/script>\x3C!-- & \x3Cb>", attempt: 1, token: 7, deadline: 30060, payload: "payload of \x3C/script>\x3C!-- & \x3Cb>" });
  // */, Heartbeat(<\/script><\!-- & <b>, token 7): ok, deadline 30.06
  sameLease(await queue.heartbeat(leaseOf("q\"|\x3C/script>\\\n", "\x3C/script>\x3C!-- & \x3Cb>", 7), "details of \x3C/script>\x3C!-- & \x3Cb>"), { task: "\x3C/script>\x3C!-- & \x3Cb>", attempt: 1, token: 7, deadline: 30060, payload: "payload of \x3C/script>\x3C!-- & \x3Cb>", details: "details of \x3C/script>\x3C!-- & \x3Cb>" });
  // */, Fail(<\/script><\!-- & <b>, token 7, retry after 1 s): DeadLettered
  assert.equal(await queue.fail(leaseOf("q\"|\x3C/script>\\\n", "\x3C/script>\x3C!-- & \x3Cb>", 7), { message: "error of \x3C/script>\x3C!-- & \x3Cb>", retryAfter: 1000 }), "DeadLettered");

  // 0.07 s
  clock.time = 70;
  // `|\\, Poll: \u{202e}abc\u{2028}\u{2029}\u{feff}, attempt 1, token 8, deadline 30.07
  sameLease(await queue.poll("q\"|\x3C/script>\\\n", "`|\\", 0), { task: "\u{202e}abc\u{2028}\u{2029}\u{feff}", attempt: 1, token: 8, deadline: 30070, payload: "payload of \u{202e}abc\u{2028}\u{2029}\u{feff}" });
  // `|\\, Heartbeat(\u{202e}abc\u{2028}\u{2029}\u{feff}, token 8): ok, deadline 30.07
  sameLease(await queue.heartbeat(leaseOf("q\"|\x3C/script>\\\n", "\u{202e}abc\u{2028}\u{2029}\u{feff}", 8), "details of \u{202e}abc\u{2028}\u{2029}\u{feff}"), { task: "\u{202e}abc\u{2028}\u{2029}\u{feff}", attempt: 1, token: 8, deadline: 30070, payload: "payload of \u{202e}abc\u{2028}\u{2029}\u{feff}", details: "details of \u{202e}abc\u{2028}\u{2029}\u{feff}" });
  // `|\\, Complete(\u{202e}abc\u{2028}\u{2029}\u{feff}, token 8): ok, \u{202e}abc\u{2028}\u{2029}\u{feff} leaves
  await queue.complete(leaseOf("q\"|\x3C/script>\\\n", "\u{202e}abc\u{2028}\u{2029}\u{feff}", 8));

  // 0.08 s
  clock.time = 80;
  // w\n> DEQ, Poll: \u{0}\u{7}\u{1b}[31m\u{7f}, attempt 1, token 9, deadline 30.08
  sameLease(await queue.poll("q\"|\x3C/script>\\\n", "w\n> DEQ", 0), { task: "\u{0}\u{7}\u{1b}[31m\u{7f}", attempt: 1, token: 9, deadline: 30080, payload: "payload of \u{0}\u{7}\u{1b}[31m\u{7f}" });
  // w\n> DEQ, Heartbeat(\u{0}\u{7}\u{1b}[31m\u{7f}, token 9): ok, deadline 30.08
  sameLease(await queue.heartbeat(leaseOf("q\"|\x3C/script>\\\n", "\u{0}\u{7}\u{1b}[31m\u{7f}", 9), "details of \u{0}\u{7}\u{1b}[31m\u{7f}"), { task: "\u{0}\u{7}\u{1b}[31m\u{7f}", attempt: 1, token: 9, deadline: 30080, payload: "payload of \u{0}\u{7}\u{1b}[31m\u{7f}", details: "details of \u{0}\u{7}\u{1b}[31m\u{7f}" });
  // w\n> DEQ, Fail(\u{0}\u{7}\u{1b}[31m\u{7f}, token 9, retry after 1 s): DeadLettered
  assert.equal(await queue.fail(leaseOf("q\"|\x3C/script>\\\n", "\u{0}\u{7}\u{1b}[31m\u{7f}", 9), { message: "error of \u{0}\u{7}\u{1b}[31m\u{7f}", retryAfter: 1000 }), "DeadLettered");

  // 0.09 s
  clock.time = 90;
  // <\/script>, Poll: '`${1}`', attempt 1, token 10, deadline 30.09
  sameLease(await queue.poll("q\"|\x3C/script>\\\n", "\x3C/script>", 0), { task: "'`${1}`'", attempt: 1, token: 10, deadline: 30090, payload: "payload of '`${1}`'" });
  // <\/script>, Heartbeat('`${1}`', token 10): ok, deadline 30.09
  sameLease(await queue.heartbeat(leaseOf("q\"|\x3C/script>\\\n", "'`${1}`'", 10), "details of '`${1}`'"), { task: "'`${1}`'", attempt: 1, token: 10, deadline: 30090, payload: "payload of '`${1}`'", details: "details of '`${1}`'" });
  // <\/script>, Complete('`${1}`', token 10): ok, '`${1}`' leaves
  await queue.complete(leaseOf("q\"|\x3C/script>\\\n", "'`${1}`'", 10));

  // 0.1 s
  clock.time = 100;
  // */, Poll: {by} %s $& {0}, attempt 1, token 11, deadline 30.1
  sameLease(await queue.poll("q\"|\x3C/script>\\\n", "*/", 0), { task: "{by} %s $& {0}", attempt: 1, token: 11, deadline: 30100, payload: "payload of {by} %s $& {0}" });
  // */, Heartbeat({by} %s $& {0}, token 11): ok, deadline 30.1
  sameLease(await queue.heartbeat(leaseOf("q\"|\x3C/script>\\\n", "{by} %s $& {0}", 11), "details of {by} %s $& {0}"), { task: "{by} %s $& {0}", attempt: 1, token: 11, deadline: 30100, payload: "payload of {by} %s $& {0}", details: "details of {by} %s $& {0}" });
  // */, Fail({by} %s $& {0}, token 11, retry after 1 s): DeadLettered
  assert.equal(await queue.fail(leaseOf("q\"|\x3C/script>\\\n", "{by} %s $& {0}", 11), { message: "error of {by} %s $& {0}", retryAfter: 1000 }), "DeadLettered");

  // 0.11 s
  clock.time = 110;
  // `|\\, Poll: __proto__, attempt 1, token 12, deadline 30.11
  sameLease(await queue.poll("q\"|\x3C/script>\\\n", "`|\\", 0), { task: "__proto__", attempt: 1, token: 12, deadline: 30110, payload: "payload of __proto__" });
  // `|\\, Heartbeat(__proto__, token 12): ok, deadline 30.11
  sameLease(await queue.heartbeat(leaseOf("q\"|\x3C/script>\\\n", "__proto__", 12), "details of __proto__"), { task: "__proto__", attempt: 1, token: 12, deadline: 30110, payload: "payload of __proto__", details: "details of __proto__" });
  // `|\\, Complete(__proto__, token 12): ok, __proto__ leaves
  await queue.complete(leaseOf("q\"|\x3C/script>\\\n", "__proto__", 12));

  // 0.12 s
  clock.time = 120;
  // w\n> DEQ, Poll:  , attempt 1, token 13, deadline 30.12
  sameLease(await queue.poll("q\"|\x3C/script>\\\n", "w\n> DEQ", 0), { task: " ", attempt: 1, token: 13, deadline: 30120, payload: "payload of  " });
  // w\n> DEQ, Heartbeat( , token 13): ok, deadline 30.12
  sameLease(await queue.heartbeat(leaseOf("q\"|\x3C/script>\\\n", " ", 13), "details of  "), { task: " ", attempt: 1, token: 13, deadline: 30120, payload: "payload of  ", details: "details of  " });
  // w\n> DEQ, Fail( , token 13, retry after 1 s): DeadLettered
  assert.equal(await queue.fail(leaseOf("q\"|\x3C/script>\\\n", " ", 13), { message: "error of  ", retryAfter: 1000 }), "DeadLettered");

  // 0.13 s
  clock.time = 130;
  // <\/script>, Poll: \\u{41}\\x41\\n, attempt 1, token 14, deadline 30.13
  sameLease(await queue.poll("q\"|\x3C/script>\\\n", "\x3C/script>", 0), { task: "\\u{41}\\x41\\n", attempt: 1, token: 14, deadline: 30130, payload: "payload of \\u{41}\\x41\\n" });
  // <\/script>, Heartbeat(\\u{41}\\x41\\n, token 14): ok, deadline 30.13
  sameLease(await queue.heartbeat(leaseOf("q\"|\x3C/script>\\\n", "\\u{41}\\x41\\n", 14), "details of \\u{41}\\x41\\n"), { task: "\\u{41}\\x41\\n", attempt: 1, token: 14, deadline: 30130, payload: "payload of \\u{41}\\x41\\n", details: "details of \\u{41}\\x41\\n" });
  // <\/script>, Complete(\\u{41}\\x41\\n, token 14): ok, \\u{41}\\x41\\n leaves
  await queue.complete(leaseOf("q\"|\x3C/script>\\\n", "\\u{41}\\x41\\n", 14));

  // 0.14 s
  clock.time = 140;
  // */, Poll: > ENQ x, attempt 1, token 15, deadline 30.14
  sameLease(await queue.poll("q\"|\x3C/script>\\\n", "*/", 0), { task: "> ENQ x", attempt: 1, token: 15, deadline: 30140, payload: "payload of > ENQ x" });
  // */, Heartbeat(> ENQ x, token 15): ok, deadline 30.14
  sameLease(await queue.heartbeat(leaseOf("q\"|\x3C/script>\\\n", "> ENQ x", 15), "details of > ENQ x"), { task: "> ENQ x", attempt: 1, token: 15, deadline: 30140, payload: "payload of > ENQ x", details: "details of > ENQ x" });
  // */, Fail(> ENQ x, token 15, retry after 1 s): DeadLettered
  assert.equal(await queue.fail(leaseOf("q\"|\x3C/script>\\\n", "> ENQ x", 15), { message: "error of > ENQ x", retryAfter: 1000 }), "DeadLettered");

  // 0.15 s
  clock.time = 150;
  // `|\\, Poll: # _*[~]*_, attempt 1, token 16, deadline 30.15
  sameLease(await queue.poll("q\"|\x3C/script>\\\n", "`|\\", 0), { task: "# _*[~]*_", attempt: 1, token: 16, deadline: 30150, payload: "payload of # _*[~]*_" });
  // `|\\, Heartbeat(# _*[~]*_, token 16): ok, deadline 30.15
  sameLease(await queue.heartbeat(leaseOf("q\"|\x3C/script>\\\n", "# _*[~]*_", 16), "details of # _*[~]*_"), { task: "# _*[~]*_", attempt: 1, token: 16, deadline: 30150, payload: "payload of # _*[~]*_", details: "details of # _*[~]*_" });
  // `|\\, Complete(# _*[~]*_, token 16): ok, # _*[~]*_ leaves
  await queue.complete(leaseOf("q\"|\x3C/script>\\\n", "# _*[~]*_", 16));

  // 0.16 s
  clock.time = 160;
  // w\n> DEQ, Poll: ́e, attempt 1, token 17, deadline 30.16
  sameLease(await queue.poll("q\"|\x3C/script>\\\n", "w\n> DEQ", 0), { task: "́e", attempt: 1, token: 17, deadline: 30160, payload: "payload of ́e" });
  // w\n> DEQ, Heartbeat(́e, token 17): ok, deadline 30.16
  sameLease(await queue.heartbeat(leaseOf("q\"|\x3C/script>\\\n", "́e", 17), "details of ́e"), { task: "́e", attempt: 1, token: 17, deadline: 30160, payload: "payload of ́e", details: "details of ́e" });
  // w\n> DEQ, Fail(́e, token 17, retry after 1 s): DeadLettered
  assert.equal(await queue.fail(leaseOf("q\"|\x3C/script>\\\n", "́e", 17), { message: "error of ́e", retryAfter: 1000 }), "DeadLettered");

  // 0.17 s
  clock.time = 170;
  // <\/script>, Poll: x<\/script>, attempt 1, token 18, deadline 30.17
  sameLease(await queue.poll("q\"|\x3C/script>\\\n", "\x3C/script>", 0), { task: "x\x3C/script>", attempt: 1, token: 18, deadline: 30170 });
  // <\/script>, Heartbeat(x<\/script>, token 18): ok, deadline 30.17
  sameLease(await queue.heartbeat(leaseOf("q\"|\x3C/script>\\\n", "x\x3C/script>", 18), "details of x\x3C/script>"), { task: "x\x3C/script>", attempt: 1, token: 18, deadline: 30170, details: "details of x\x3C/script>" });
  // <\/script>, Complete(x<\/script>, token 18): ok, x<\/script> leaves
  await queue.complete(leaseOf("q\"|\x3C/script>\\\n", "x\x3C/script>", 18));

  // 2 s
  clock.time = 2000;
  // w|\\, DLQ: a"b, 1 attempt, at 0; two\nlines\r\n, 1 attempt, at 0.02; é 漢字 🦀 हिन्दी, 1 attempt, at 0.04; <\/script><\!-- & <b>, 1 attempt, at 0.06; \u{0}\u{7}\u{1b}[31m\u{7f}, 1 attempt, at 0.08; {by} %s $& {0}, 1 attempt, at 0.1;  , 1 attempt, at 0.12; > ENQ x, 1 attempt, at 0.14; ́e, 1 attempt, at 0.16
  sameLetters(await queue.dlq("q\"|\x3C/script>\\\n"), [{ task: "a\"b", attempts: 1, at: 0, lastError: "error of a\"b" }, { task: "two\nlines\r\n", attempts: 1, at: 20, lastError: "error of two\nlines\r\n" }, { task: "é 漢字 🦀 हिन्दी", attempts: 1, at: 40, lastError: "error of é 漢字 🦀 हिन्दी" }, { task: "\x3C/script>\x3C!-- & \x3Cb>", attempts: 1, at: 60, lastError: "error of \x3C/script>\x3C!-- & \x3Cb>" }, { task: "\u{0}\u{7}\u{1b}[31m\u{7f}", attempts: 1, at: 80, lastError: "error of \u{0}\u{7}\u{1b}[31m\u{7f}" }, { task: "{by} %s $& {0}", attempts: 1, at: 100, lastError: "error of {by} %s $& {0}" }, { task: " ", attempts: 1, at: 120, lastError: "error of  " }, { task: "> ENQ x", attempts: 1, at: 140, lastError: "error of > ENQ x" }, { task: "́e", attempts: 1, at: 160, lastError: "error of ́e" }]);
  // w|\\, Depth: 0 visible, 0 delayed, 0 leased, 9 dead
  sameDepth(await queue.depth("q\"|\x3C/script>\\\n"), { visible: 0, leased: 0, dead: 9 });
  // w|\\, Redrive(a"b, two\nlines\r\n): 2 redriven
  assert.equal(await queue.redrive("q\"|\x3C/script>\\\n", "a\"b", "two\nlines\r\n"), 2);
  // <\/script>, Poll: a"b, attempt 1, token 19, deadline 32
  sameLease(await queue.poll("q\"|\x3C/script>\\\n", "\x3C/script>", 0), { task: "a\"b", attempt: 1, token: 19, deadline: 32000, payload: "payload of a\"b" });
  // <\/script>, Complete(a"b, token 19): ok, a"b leaves
  await queue.complete(leaseOf("q\"|\x3C/script>\\\n", "a\"b", 19));
  // w, Redrive(no\nsuch"task): NotFound
  await refused("NotFound", () => queue.redrive("q\"|\x3C/script>\\\n", "no\nsuch\"task"));
  // w, Poll on other|\n<\/script>"queue: NoTask
  await refused("NoTask", () => queue.poll("other|\n\x3C/script>\"queue", "w", 0));
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
