//! Retries and the dead letters (section 2.3), as tables: time in ms, call, outcome.
//!
//! It knows what becomes of a task that fails. It deliberately knows no task that waits its delay: the
//! hand timeline and the long polls do.

use crate::redrive as move_back;
use crate::{bench_with, check, check_table, drop_it, enqueue, fail};
use fencepost_core::bugs::Chosen;
use fencepost_core::call::Call::{DeadLetters, Depth, Poll};

/// Dispositions in order, the last attempt exactly (pitfall 3).
pub fn poison_task_to_dlq_after_max_attempts(rules: Chosen) {
    check_table(
        &mut bench_with(rules, 2),
        &[
            (0, enqueue("a"), "added"),
            (0, Poll, "a, attempt 1, token 1, deadline 30"),
            (1_000, fail("a", 1, 0), "Retrying, visible at 1"),
            (1_000, Poll, "a, attempt 2, token 2, deadline 31"),
            (2_000, fail("a", 2, 0), "DeadLettered"),
            (2_000, DeadLetters, "a, 2 attempts, at 2"),
            (2_000, Poll, "NoTask"),
            (2_000, check("a", 2), "LeaseLost"),
        ],
    );
}

/// A failure that no retry can help leaves at once, also on the last attempt.
pub fn non_retryable_dropped(rules: Chosen) {
    check_table(
        &mut bench_with(rules, 1),
        &[
            (0, enqueue("a"), "added"),
            (0, Poll, "a, attempt 1, token 1, deadline 30"),
            (0, drop_it("a", 1), "Dropped"),
            (0, DeadLetters, "no dead letters"),
            (0, enqueue("a"), "added"),
        ],
    );
}

/// One id, an unknown id, an id twice, all: all or nothing, and attempts begin anew.
pub fn redrive(rules: Chosen) {
    check_table(
        &mut bench_with(rules, 1),
        &[
            (0, enqueue("a"), "added"),
            (0, enqueue("b"), "added"),
            (0, enqueue("c"), "added"),
            (0, move_back(&[]), "0 redriven"),
            (0, Poll, "a, attempt 1, token 1, deadline 30"),
            (0, Poll, "b, attempt 1, token 2, deadline 30"),
            (1_000, fail("b", 2, 0), "DeadLettered"),
            (2_000, fail("a", 1, 0), "DeadLettered"),
            (2_000, DeadLetters, "a, 1 attempt, at 2; b, 1 attempt, at 1"),
            (3_000, move_back(&["a", "nobody"]), "NotFound"),
            (3_000, move_back(&["a", "c"]), "NotFound"),
            (3_000, Depth, "1 visible, 0 delayed, 0 leased, 2 dead"),
            (3_000, move_back(&["b", "b"]), "1 redriven"),
            (4_000, move_back(&[]), "1 redriven"),
            (4_000, Poll, "c, attempt 1, token 3, deadline 34"),
            (4_000, Poll, "b, attempt 1, token 4, deadline 34"),
            (4_000, Poll, "a, attempt 1, token 5, deadline 34"),
        ],
    );
}
