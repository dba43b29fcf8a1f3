//! The log (section 2.5): what it holds rebuilds the queue, and one that fails changes nothing.
//!
//! It knows what there is to see before and after. It deliberately knows no record's text.

use crate::{bench_with, call, check_table, complete, enqueue, fail, heartbeat, redrive, s};
use fencepost_core::bench::Bench;
use fencepost_core::bugs::Chosen;
use fencepost_core::call::Call::{DeadLetters, Depth, Poll, Reopen};
use fencepost_core::log::Log;

/// Visible, delayed, leased and dead tasks at once, with a used token that has left.
pub fn everything(rules: Chosen) -> Bench<Chosen> {
    let mut bench = bench_with(rules, 2);
    check_table(
        &mut bench,
        &[
            (0, enqueue("dead"), "added"),
            (0, Poll, "dead, attempt 1, token 1, deadline 30"),
            (1_000, fail("dead", 1, 0), "Retrying, visible at 1"),
            (1_000, Poll, "dead, attempt 2, token 2, deadline 31"),
            (1_000, fail("dead", 2, 0), "DeadLettered"),
            (1_000, enqueue("delayed"), "added"),
            (1_000, Poll, "delayed, attempt 1, token 3, deadline 31"),
            (2_000, fail("delayed", 3, 60), "Retrying, visible at 62"),
            (2_000, enqueue("leased"), "added"),
            (2_000, Poll, "leased, attempt 1, token 4, deadline 32"),
            (3_000, heartbeat("leased", 4, "half"), "ok, deadline 33"),
            (3_000, enqueue("done"), "added"),
            (3_000, Poll, "done, attempt 1, token 5, deadline 33"),
            (3_000, complete("done", 5), "ok, done leaves"),
            (3_000, enqueue("visible"), "added"),
        ],
    );
    bench
}

/// A live lease survives a restart, and tokens go on from where they were (pitfall 2).
pub fn recovery_from_log(rules: Chosen) {
    let mut bench = everything(rules);
    check_table(
        &mut bench,
        &[
            (4_000, Depth, "1 visible, 1 delayed, 1 leased, 1 dead"),
            (4_000, Reopen, "open again"),
            (4_000, Depth, "1 visible, 1 delayed, 1 leased, 1 dead"),
            (4_000, DeadLetters, "dead, 2 attempts, at 1"),
            (5_000, heartbeat("leased", 4, ""), "ok, deadline 35"),
            (5_000, Poll, "visible, attempt 1, token 6, deadline 35"),
            (35_000, Poll, "leased, attempt 2, token 7, deadline 65"),
            (62_000, Poll, "visible, attempt 2, token 8, deadline 92"),
            (62_000, Poll, "delayed, attempt 2, token 9, deadline 92"),
        ],
    );
}

/// Every call that writes, refused by the log: the answer is the error and every look is as before.
pub fn log_failure_changes_nothing(rules: Chosen) {
    let writes = [
        enqueue("new"),
        Poll,
        heartbeat("leased", 4, "more"),
        complete("leased", 4),
        fail("leased", 4, 1),
        redrive(&["dead"]),
        redrive(&[]),
    ];
    for refused in writes {
        let mut bench = everything(rules);
        let name = bench.name.clone();
        let before = (
            bench.queue.picture(s(4), &name),
            bench.queue.log().entries().to_vec(),
        );
        bench.queue.log_mut().set_refusing(true);
        let answer = call(&mut bench, s(4), refused.clone());
        assert!(
            answer.contains("log full") && answer.contains("nothing changed"),
            "{refused}: {answer}"
        );
        bench.queue.log_mut().set_refusing(false);
        let after = (
            bench.queue.picture(s(4), &name),
            bench.queue.log().entries().to_vec(),
        );
        assert_eq!(after, before, "{refused}");
        assert_eq!(
            call(&mut bench, s(4), Poll),
            "visible, attempt 1, token 6, deadline 34",
            "{refused}"
        );
    }
}
