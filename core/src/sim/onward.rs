//! Onward: from any step of any schedule, many seeded ways in which it may go on, and how many end red.
//!
//! It knows who held which lease at that step. It deliberately knows no more of the past: it is how one
//! finds out when a run was lost.

use super::hits::Hits;
use super::plan::Plan;
use super::worker::Worker;
use super::world::World;
use super::{Red, heal, red_of, watch};
use crate::call::{Call, Outcome};
use crate::rules::Rules;
use crate::scenario::{Planned, Row, Scenario};
use crate::task::{Lease, QueueName};
use crate::time::Timestamp;
use crate::watched::Came;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use serde::Serialize;

/// How the ways onward ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Share {
    /// How many ended red.
    pub red: u32,
    /// Of how many.
    pub of: u32,
}

/// Plays the first rows of a scenario, then goes on by each of these seeds.
pub fn share_red<R: Rules + Clone>(
    scenario: &Scenario,
    rows: usize,
    seeds: core::ops::Range<u64>,
    rules: &R,
) -> Share {
    let mut share = Share::default();
    for seed in seeds {
        let red = go_on(scenario, rows, seed, rules.clone()).1;
        share.red += u32::from(red.is_some());
        share.of += 1;
    }
    share
}

/// One way onward: all rows, those of the scenario first, and what was broken.
pub fn go_on<R: Rules + Clone>(
    scenario: &Scenario,
    rows: usize,
    seed: u64,
    rules: R,
) -> (Vec<Row>, Option<Red>) {
    let mut past = Past::play(scenario, rows, rules);
    let mut plan = Plan::draw(seed);
    plan.visibility_ms = crate::time::millis_up(scenario.options().visibility);
    plan.max_attempts = scenario.max_attempts;
    let mut queues = scenario.other_queues();
    queues.insert(0, scenario.queue.clone());
    plan.queues = queues.len().min(usize::from(u8::MAX)) as u8;
    let workers = past.workers(&plan);
    let (begun, more) = (past.rows.len(), plan.calls as usize);
    let mut hits = Hits::default();
    hits.begin();
    let mut world = World::new(plan, queues, past.watched, &mut hits);
    world.has_begun(past.rows, past.now, workers);
    if !world.is_broken() {
        world.begin();
        world.run(begun + more);
        heal(&mut world);
    }
    let red = red_of(&world.watched);
    (world.rows, red)
}

/// What has happened, and who holds what.
struct Past<R: Rules + Clone> {
    watched: crate::watched::Watched<R>,
    rows: Vec<Row>,
    now: Timestamp,
    hands: BTreeMap<String, Option<Lease>>,
}

impl<R: Rules + Clone> Past<R> {
    fn play(scenario: &Scenario, rows: usize, rules: R) -> Self {
        let mut past = Past {
            watched: watch(scenario, rules),
            rows: Vec::new(),
            now: Timestamp::ZERO,
            hands: BTreeMap::new(),
        };
        for (row, at, planned) in super::steps(scenario).filter(|(row, ..)| *row <= rows) {
            past.watched.oracle.turn_to(row);
            let queue = planned.queue.as_ref().unwrap_or(&scenario.queue);
            past.step(at, planned, queue);
        }
        past
    }

    fn step(&mut self, at: Timestamp, planned: &Planned, queue: &QueueName) {
        if red_of(&self.watched).is_some() {
            return;
        }
        let came = self.watched.call(at, &planned.by, queue, &planned.call);
        self.now = self.now.max(at);
        self.rows.push(Row {
            at,
            calls: alloc::vec![Planned {
                expect: None,
                ..planned.clone()
            }],
        });
        self.remember(planned, &came);
    }

    fn remember(&mut self, planned: &Planned, came: &Came) {
        for told in &came.served {
            self.hands
                .insert(told.by.clone(), told.answer.lease.clone());
        }
        match (&planned.call, &came.answer.outcome) {
            (Call::Poll | Call::LongPoll { .. }, _) => {
                self.hands
                    .insert(planned.by.clone(), came.answer.lease.clone());
            }
            (Call::Complete { .. } | Call::Fail { .. }, outcome)
                if !matches!(outcome, Outcome::Refused(_)) =>
            {
                self.hands.insert(planned.by.clone(), None);
            }
            _ => {}
        }
    }

    /// Whoever polled goes on as a worker, with what it has in hand; a fresh one if nobody ever did.
    fn workers(&mut self, plan: &Plan) -> Vec<Worker> {
        let mut workers = Vec::new();
        for (number, (name, hand)) in core::mem::take(&mut self.hands).into_iter().enumerate() {
            let mut worker = Worker::new(plan.seed, number as u8);
            worker.waits = self.watched.bench.is_waiting(&name);
            worker.name = name;
            if let Some(lease) = &hand {
                worker.takes(plan, lease, self.now);
            }
            workers.push(worker);
        }
        if workers.is_empty() {
            workers.push(Worker::new(plan.seed, 1));
        }
        workers
    }
}
