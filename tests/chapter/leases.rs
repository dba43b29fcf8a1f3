//! Leases and fencing tokens (sections 2.1 and 2.2), as tables: time in ms, call, outcome.
//!
//! It knows who may act on a task, and until when. It deliberately knows no retry and no long poll.

use crate::{bench_with, check, check_table, complete, enqueue, fail, heartbeat, s};
use fencepost_core::bugs::Chosen;
use fencepost_core::call::Call::{Depth, Poll};

/// A lease is live before its deadline and over at it (pitfall 1).
pub fn crashed_worker_task_reappears(rules: Chosen) {
    check_table(
        &mut bench_with(rules, 3),
        &[
            (0, enqueue("a"), "added"),
            (0, Poll, "a, attempt 1, token 1, deadline 30"),
            (29_999, Poll, "NoTask"),
            (29_999, check("a", 1), "live"),
            (30_000, check("a", 1), "LeaseLost"),
            (30_000, heartbeat("a", 1, ""), "LeaseLost"),
            (30_000, complete("a", 1), "LeaseLost"),
            (30_000, fail("a", 1, 0), "LeaseLost"),
            (30_000, Depth, "1 visible, 0 delayed, 0 leased, 0 dead"),
            (30_000, Poll, "a, attempt 2, token 2, deadline 60"),
        ],
    );
}

/// Only the newest token acts, and only before its deadline; a stale one leaves the live lease as it is
/// (pitfalls 1 and 2).
pub fn stale_token_lease_lost(rules: Chosen) {
    check_table(
        &mut bench_with(rules, 3),
        &[
            (0, enqueue("a"), "added"),
            (0, Poll, "a, attempt 1, token 1, deadline 30"),
            // Nobody has polled again: the lease is over, and its token is still the task's newest.
            (30_000, check("a", 1), "LeaseLost"),
            (30_000, heartbeat("a", 1, "late"), "LeaseLost"),
            (30_000, complete("a", 1), "LeaseLost"),
            (30_000, fail("a", 1, 0), "LeaseLost"),
            (31_000, Poll, "a, attempt 2, token 2, deadline 61"),
            (40_000, check("a", 1), "LeaseLost"),
            (40_000, heartbeat("a", 1, "stale"), "LeaseLost"),
            (40_000, complete("a", 1), "LeaseLost"),
            (40_000, fail("a", 1, 0), "LeaseLost"),
            (40_000, complete("a", 3), "LeaseLost"),
            (60_999, check("a", 2), "live"),
            (60_999, complete("a", 2), "ok, a leaves"),
            (60_999, complete("a", 2), "LeaseLost"),
        ],
    );
}

/// A heartbeat moves the deadline to now + V; its details reach the next attempt (pitfall 5).
pub fn heartbeat_extends_lease(rules: Chosen) {
    let mut bench = bench_with(rules, 3);
    check_table(
        &mut bench,
        &[
            (0, enqueue("a"), "added"),
            (0, Poll, "a, attempt 1, token 1, deadline 30"),
            (20_000, heartbeat("a", 1, "half"), "ok, deadline 50"),
            (30_000, check("a", 1), "live"),
            (40_000, heartbeat("a", 1, ""), "ok, deadline 70"),
            (69_999, Poll, "NoTask"),
        ],
    );
    let name = bench.name.clone();
    let lease = bench
        .queue
        .poll(s(70), &name, "w")
        .expect("the lease is over");
    assert_eq!((lease.attempt.0, &*lease.details), (2, &b"half"[..]));
}
