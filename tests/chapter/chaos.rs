//! A seeded schedule of deaths, pauses, late answers and crashes, and then all heals.
//!
//! It knows which effects were applied and which tasks were acknowledged. It deliberately knows no token's
//! value and no deadline: whatever the queue answers is lived with, for a bounded time.

use crate::{Dice, bench_with, complete, enqueue, id, outcome, s};
use fencepost_core::bench::Bench;
use fencepost_core::bugs::Chosen;
use fencepost_core::call::Call::{Depth, Poll, Reopen};
use fencepost_core::call::Outcome;
use fencepost_core::task::{TaskId, Token};
use fencepost_core::time::Timestamp;
use std::collections::BTreeMap;
use std::time::Duration;

/// In seconds: by then nearly every task has met death and lateness, and from then on nobody dies.
const HEALS_AT: u64 = 600;

/// In seconds: whatever is not done by now never will be.
const GIVES_UP_AT: u64 = 2_000;

/// A worker of the chaos: what it works on, and when it will answer, if it lives.
type Work = (TaskId, Token, Timestamp);

/// Deaths, pauses past the deadline, late answers and crashes; then all heals. Each task is acknowledged
/// once and each effect, keyed by the task, is applied once.
pub fn exactly_once_effects_under_chaos(rules: Chosen) {
    let (mut late, mut twice_delivered) = (0, 0);
    for seed in 0..200 {
        let mut chaos = Chaos {
            dice: Dice::new(seed),
            bench: bench_with(rules, 1_000),
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
    bench: Bench<Chosen>,
    acked: BTreeMap<TaskId, u32>,
    late: u32,
}

impl Chaos {
    fn task(n: u64) -> TaskId {
        id(&format!("t{n}"))
    }

    /// Gives how often each task was delivered: its effect is keyed by the task, so once is enough.
    fn run(&mut self) -> BTreeMap<TaskId, u32> {
        let mut effects = BTreeMap::new();
        let mut workers: [Option<Work>; 3] = Default::default();
        for n in 0..10 {
            outcome(&mut self.bench, s(0), enqueue(Self::task(n).as_str()));
        }
        for second in 0..GIVES_UP_AT {
            let healed = second > HEALS_AT;
            let worker = self.dice.below(3) as usize;
            match workers[worker].take() {
                None => workers[worker] = self.take_work(s(second), healed, &mut effects),
                Some(work) if work.2 > s(second) => workers[worker] = Some(work),
                Some((task, token, _)) => self.answer(s(second), task, token),
            }
            if !healed && self.dice.one_in(200) {
                outcome(&mut self.bench, s(second), Reopen);
            }
            if healed
                && outcome(&mut self.bench, s(second), Depth) == Outcome::Depth(Default::default())
            {
                return effects;
            }
        }
        panic!(
            "it did not converge: {:?}",
            outcome(&mut self.bench, s(GIVES_UP_AT), Depth)
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
