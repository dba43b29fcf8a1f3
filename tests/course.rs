//! The chapter's own tests by their own names (section 4), as tables: time in ms, call, outcome.
//!
//! `hand_timeline`, the three long polls, and the two about the log have files of their own.

use fencepost_core::bench::Bench;
use fencepost_core::call::Call::{DeadLetters, Depth, Poll};
use fencepost_core::call::{Call, Outcome};
use fencepost_core::rules::Chapter;
use fencepost_core::task::{TaskId, Token};
use fencepost_core::time::Timestamp;
use fencepost_tests::redrive as move_back;
use fencepost_tests::{
    Dice, bench, check, check_table, complete, drop_it, enqueue, fail, heartbeat, outcome, s,
};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// A lease is live before its deadline and over at it (pitfall 1).
#[test]
fn crashed_worker_task_reappears() {
    check_table(
        &mut bench(3),
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

/// Only the newest token acts; the live lease is undisturbed by a stale one (pitfall 2).
#[test]
fn stale_token_lease_lost() {
    check_table(
        &mut bench(3),
        &[
            (0, enqueue("a"), "added"),
            (0, Poll, "a, attempt 1, token 1, deadline 30"),
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
#[test]
fn heartbeat_extends_lease() {
    let mut bench = bench(3);
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

/// Dispositions in order, the last attempt exactly (pitfall 3).
#[test]
fn poison_task_to_dlq_after_max_attempts() {
    check_table(
        &mut bench(2),
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
#[test]
fn non_retryable_dropped() {
    check_table(
        &mut bench(1),
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
#[test]
fn redrive() {
    check_table(
        &mut bench(1),
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

/// An id that is held is left as it is, in every phase; after an ack it is free (pitfall 7).
#[test]
fn enqueue_duplicate_is_noop() {
    check_table(
        &mut bench(2),
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
#[test]
fn fifo_among_visible() {
    check_table(
        &mut bench(9),
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
#[test]
fn concurrent_pollers_one_lease_each() {
    for seed in 0..20 {
        let (mut dice, mut bench) = (Dice::new(seed), bench(3));
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

/// A worker of the chaos: what it works on, and when it will answer, if it lives.
type Work = (TaskId, Token, Timestamp);

/// Deaths, pauses past the deadline, late answers and crashes; then all heals. Each task is acknowledged
/// once and each effect, keyed by the task, is applied once.
#[test]
fn exactly_once_effects_under_chaos() {
    let (mut late, mut twice_delivered) = (0, 0);
    for seed in 0..200 {
        let mut chaos = Chaos {
            dice: Dice::new(seed),
            bench: bench(1_000),
            acked: BTreeMap::new(),
            late: 0,
        };
        let deliveries = chaos.run();
        let expected: BTreeMap<TaskId, u32> = (0..10).map(|n| (Chaos::task(n), 1)).collect();
        assert_eq!(chaos.acked, expected, "seed {seed}: acknowledged once each");
        assert_eq!(
            deliveries.keys().collect::<Vec<_>>(),
            expected.keys().collect::<Vec<_>>(),
            "seed {seed}"
        );
        late += chaos.late;
        twice_delivered += deliveries.values().filter(|count| **count > 1).count();
    }
    assert!(late > 100, "late answers were refused {late} times");
    assert!(
        twice_delivered > 100,
        "{twice_delivered} tasks were delivered more than once"
    );
}

struct Chaos {
    dice: Dice,
    bench: Bench<Chapter>,
    acked: BTreeMap<TaskId, u32>,
    late: u32,
}

impl Chaos {
    fn task(n: u64) -> TaskId {
        fencepost_tests::id(&format!("t{n}"))
    }

    /// Gives how often each task was delivered: its effect is keyed by the task, so once is enough.
    fn run(&mut self) -> BTreeMap<TaskId, u32> {
        let mut effects = BTreeMap::new();
        let mut workers: [Option<Work>; 3] = Default::default();
        for n in 0..10 {
            outcome(&mut self.bench, s(0), enqueue(Self::task(n).as_str()));
        }
        for second in 0..10_000 {
            let healed = second > 2_000;
            let worker = self.dice.below(3) as usize;
            match workers[worker].take() {
                None => workers[worker] = self.take_work(s(second), healed, &mut effects),
                Some(work) if work.2 > s(second) => workers[worker] = Some(work),
                Some((task, token, _)) => self.answer(s(second), task, token),
            }
            if !healed && self.dice.one_in(200) {
                outcome(&mut self.bench, s(second), Call::Reopen);
            }
            if healed
                && outcome(&mut self.bench, s(second), Depth) == Outcome::Depth(Default::default())
            {
                return effects;
            }
        }
        panic!(
            "it did not converge: {:?}",
            outcome(&mut self.bench, s(10_000), Depth)
        );
    }

    fn take_work(
        &mut self,
        now: Timestamp,
        healed: bool,
        effects: &mut BTreeMap<TaskId, u32>,
    ) -> Option<Work> {
        let Outcome::Leased { task, token, .. } = outcome(&mut self.bench, now, Poll) else {
            return None;
        };
        if !healed && self.dice.one_in(4) {
            return None; // the worker dies before it does anything
        }
        *effects.entry(task.clone()).or_default() += 1;
        if !healed && self.dice.one_in(4) {
            return None; // it dies after the effect, before it can say so
        }
        let length = if healed { 1 } else { 1 + self.dice.below(60) };
        Some((task, token, now.plus(Duration::from_secs(length))))
    }

    fn answer(&mut self, now: Timestamp, task: TaskId, token: Token) {
        match outcome(&mut self.bench, now, complete(task.as_str(), token.0)) {
            Outcome::Completed { .. } => *self.acked.entry(task).or_default() += 1,
            Outcome::LeaseLost => self.late += 1,
            other => panic!("{other}"),
        }
    }
}
