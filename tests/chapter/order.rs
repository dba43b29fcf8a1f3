//! What is handed out next, and to whom (sections 2.4 and 2.5).
//!
//! It knows ids that are held, the line, and pollers side by side. It deliberately knows no waiting: that
//! is `long_poll`.

use crate::redrive as move_back;
use crate::{Dice, bench_with, check_table, complete, enqueue, fail, outcome, s};
use fencepost_core::bugs::Chosen;
use fencepost_core::call::Call::Poll;
use fencepost_core::call::Outcome;
use fencepost_core::task::{TaskId, Token};
use std::collections::BTreeSet;

/// An id that is held is left as it is, in every phase; after an ack it is free (pitfall 7).
pub fn enqueue_duplicate_is_noop(rules: Chosen) {
    check_table(
        &mut bench_with(rules, 2),
        &[
            (0, enqueue("a"), "added"),
            (0, enqueue("a"), "already held, visible"),
            (0, Poll, "a, attempt 1, token 1, deadline 30"),
            (0, enqueue("a"), "already held, leased"),
            (1_000, fail("a", 1, 5), "Retrying, visible at 6"),
            (1_000, enqueue("a"), "already held, delayed"),
            (6_000, Poll, "a, attempt 2, token 2, deadline 36"),
            (7_000, fail("a", 2, 5), "DeadLettered"),
            (7_000, enqueue("a"), "already held, dead"),
            (8_000, move_back(&["a"]), "1 redriven"),
            (8_000, Poll, "a, attempt 1, token 3, deadline 38"),
            (8_000, complete("a", 3), "ok, a leaves"),
            (8_000, enqueue("a"), "added"),
        ],
    );
}

/// First visible, first out, ties in enqueue order; a retried task waits its turn (pitfalls 4, 6).
pub fn fifo_among_visible(rules: Chosen) {
    check_table(
        &mut bench_with(rules, 9),
        &[
            (0, enqueue("a"), "added"),
            (0, enqueue("b"), "added"),
            (0, enqueue("c"), "added"),
            (0, Poll, "a, attempt 1, token 1, deadline 30"),
            (500, enqueue("d"), "added"),
            (1_000, fail("a", 1, 0), "Retrying, visible at 1"),
            (1_000, enqueue("e"), "added"),
            (1_000, Poll, "b, attempt 1, token 2, deadline 31"),
            (1_000, Poll, "c, attempt 1, token 3, deadline 31"),
            (1_000, Poll, "d, attempt 1, token 4, deadline 31"),
            (1_000, Poll, "a, attempt 2, token 5, deadline 31"),
            (1_000, Poll, "e, attempt 1, token 6, deadline 31"),
            // All five leases end together; what is noticed late still goes by enqueue order.
            (99_000, Poll, "a, attempt 3, token 7, deadline 129"),
            (99_000, Poll, "b, attempt 2, token 8, deadline 129"),
        ],
    );
}

/// Eight pollers in any order, 200 tasks: 200 leases and 200 tokens, none twice.
pub fn concurrent_pollers_one_lease_each(rules: Chosen) {
    for seed in 0..5 {
        let (mut dice, mut bench) = (Dice::new(seed), bench_with(rules, 3));
        for task in 0..200 {
            outcome(&mut bench, s(0), enqueue(&format!("t{task}")));
        }
        let mut handed_out: [Vec<(TaskId, Token)>; 8] = Default::default();
        while handed_out.iter().map(Vec::len).sum::<usize>() < 200 {
            let poller = dice.below(8) as usize;
            let answer = Poll.carry_out(&mut bench, s(0), &format!("worker {poller}"));
            let Outcome::Leased { task, token, .. } = answer.outcome else {
                panic!("seed {seed}: {answer:?}")
            };
            handed_out[poller].push((task, token));
        }
        assert_eq!(outcome(&mut bench, s(0), Poll), Outcome::NoTask);
        let tasks: BTreeSet<_> = handed_out.iter().flatten().map(|(task, _)| task).collect();
        let tokens: BTreeSet<_> = handed_out
            .iter()
            .flatten()
            .map(|(_, token)| token)
            .collect();
        assert_eq!((tasks.len(), tokens.len()), (200, 200), "seed {seed}");
    }
}
