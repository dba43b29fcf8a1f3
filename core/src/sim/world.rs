//! The world around a queue: workers, a producer, an operator, and the weather.
//!
//! It knows who does what when, by an agenda, and writes every call down. It deliberately judges nothing:
//! the queue it calls is under the oracle's eyes, and the world stops at the first thing the oracle finds.

use super::dice::Dice;
use super::hits::Hits;
use super::plan::{Fault, Plan};
use super::worker::Worker;
use crate::bench::Told;
use crate::call::{Call, Outcome};
use crate::refusal::Refusal;
use crate::rules::Rules;
use crate::scenario::{Planned, Row};
use crate::task::QueueName;
use crate::time::Timestamp;
use crate::watched::{Came, Watched};
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::time::Duration;

/// No run makes more calls than this, its healing included.
const CALLS_MAX: usize = 400;

/// What is to happen.
#[derive(Clone, Copy, Debug)]
pub(super) enum Event {
    Works(usize),
    Produces,
    Operates,
    LogMends,
}

/// One run in the making.
pub(super) struct World<'h, R: Rules + Clone> {
    pub(super) plan: Plan,
    pub(super) watched: Watched<R>,
    pub(super) rows: Vec<Row>,
    rows_max: usize,
    pub(super) now: Timestamp,
    pub(super) queues: Vec<QueueName>,
    pub(super) workers: Vec<Worker>,
    hits: &'h mut Hits,
    agenda: BTreeMap<(Timestamp, u64), Event>,
    order: u64,
    pub(super) producer: Dice,
    pub(super) operator: Dice,
    pub(super) weather: Dice,
    pub(super) enqueued: u32,
}

impl<'h, R: Rules + Clone> World<'h, R> {
    pub(super) fn new(
        plan: Plan,
        queues: Vec<QueueName>,
        watched: Watched<R>,
        hits: &'h mut Hits,
    ) -> Self {
        let seed = plan.seed;
        World {
            workers: (1..=plan.workers)
                .map(|number| Worker::new(seed, number))
                .collect(),
            plan,
            watched,
            rows: Vec::new(),
            rows_max: CALLS_MAX,
            now: Timestamp::ZERO,
            queues,
            hits,
            agenda: BTreeMap::new(),
            order: 0,
            producer: Dice::of(seed, 1),
            operator: Dice::of(seed, 2),
            weather: Dice::of(seed, 3),
            enqueued: 0,
        }
    }

    /// Everybody begins.
    pub(super) fn begin(&mut self) {
        for _ in 0..self.plan.tasks {
            self.enqueue();
        }
        self.plan_at(self.now, Event::Produces);
        if self.plan.rate(Fault::Redrives) > 0 {
            self.plan_at(self.now.plus(Duration::from_secs(1)), Event::Operates);
        }
        for worker in 0..self.workers.len() {
            self.plan_at(self.now, Event::Works(worker));
        }
    }

    /// Lets things happen until so many calls were made, or something is broken.
    pub(super) fn run(&mut self, calls: usize) {
        while self.rows.len() < calls && self.may_go_on() {
            let next = self.agenda.first_key_value().map(|((at, _), _)| *at);
            if self.hear_whoever_is_due(next) {
                continue;
            }
            let Some(((at, _), event)) = self.agenda.pop_first() else {
                break;
            };
            self.now = self.now.max(at);
            self.weather();
            if self.is_broken() {
                break;
            }
            match event {
                Event::Works(worker) => self.work(worker),
                Event::Produces => self.produce(),
                Event::Operates => self.operate(),
                Event::LogMends => self.mend(),
            }
        }
    }

    /// These rows have happened already, up to this instant.
    pub(super) fn has_begun(&mut self, rows: Vec<Row>, now: Timestamp, workers: Vec<Worker>) {
        self.rows_max = rows.len() + CALLS_MAX;
        (self.rows, self.now, self.workers) = (rows, now, workers);
    }

    pub(super) fn may_go_on(&self) -> bool {
        self.rows.len() < self.rows_max && !self.is_broken()
    }

    pub(super) fn is_broken(&self) -> bool {
        self.watched.oracle.first_broken().is_some()
    }

    pub(super) fn plan_at(&mut self, at: Timestamp, event: Event) {
        self.agenda.insert((at, self.order), event);
        self.order += 1;
    }

    /// Makes a call, writes it down, and has whoever was served meanwhile hear of it.
    pub(super) fn call(&mut self, at: Timestamp, by: &str, queue: &QueueName, call: Call) -> Came {
        self.watched.oracle.turn_to(self.rows.len() + 1);
        let came = self.watched.call(at, by, queue, &call);
        self.hits
            .count(&self.watched.oracle, at, queue, &call, &came);
        let other = (*queue != self.queues[0]).then(|| queue.clone());
        self.rows.push(Row {
            at,
            calls: alloc::vec![Planned {
                queue: other,
                ..Planned::new(by, call)
            }],
        });
        for Told { by, .. } in &came.served {
            if let Some(worker) = self.workers.iter().position(|worker| worker.name == *by) {
                self.plan_at(self.now, Event::Works(worker));
            }
        }
        came
    }

    /// While somebody waits the clock does not jump over the instant at which something is due.
    fn hear_whoever_is_due(&mut self, next: Option<Timestamp>) -> bool {
        let due = self
            .workers
            .iter()
            .enumerate()
            .filter(|(_, worker)| worker.waits);
        let due = due.filter_map(|(index, worker)| {
            let at = self.watched.oracle.next_due(&worker.name)?;
            Some((at, index))
        });
        match due.min() {
            Some((at, worker)) if next.is_none_or(|next| at <= next) => {
                self.now = self.now.max(at);
                self.work(worker);
                true
            }
            _ => false,
        }
    }

    fn work(&mut self, index: usize) {
        if self.workers[index].waits {
            return self.hear(index);
        }
        if let Some((at, ..)) = self.workers[index].acts.front().cloned() {
            return if at > self.now {
                self.plan_at(at, Event::Works(index));
            } else {
                self.act(index);
            };
        }
        let queue = self.queue_for(index);
        let name = self.workers[index].name.clone();
        let dice = &mut self.workers[index].dice;
        let call = if dice.one_in(self.plan.rate(Fault::LongPolls)) {
            let wait = Duration::from_secs(dice.choose([1, 5, 20, 60]));
            Call::LongPoll { wait }
        } else {
            Call::Poll
        };
        let came = self.call_by_clock(&name, &queue, call);
        self.polled(index, came);
    }

    fn queue_for(&mut self, index: usize) -> QueueName {
        let queue = self.workers[index].dice.pick(&self.queues);
        queue.cloned().unwrap_or_else(|| self.queues[0].clone())
    }

    fn hear(&mut self, index: usize) {
        let name = self.workers[index].name.clone();
        let queue = self.queues[0].clone();
        let came = self.call(self.now, &name, &queue, Call::PollReturns);
        if came.answer.outcome != Outcome::Waiting {
            self.workers[index].waits = false;
            self.polled(index, came);
        }
    }

    /// A poll was answered: with a task there is something to do, without one it is asked again later.
    fn polled(&mut self, index: usize, came: Came) {
        let now = self.now;
        let worker = &mut self.workers[index];
        if came.answer.outcome == Outcome::Waiting {
            worker.waits = true;
            return;
        }
        let next = match (&came.answer.lease, &came.answer.refusal) {
            (Some(lease), _) => {
                worker.takes(&self.plan, lease, now);
                let first = worker.acts.front().map(|(at, ..)| *at);
                first.unwrap_or(now.plus(lease.task.visibility))
            }
            (
                None,
                Some(Refusal::NoTask {
                    ask_again: Some(wake),
                }),
            ) if worker.dice.one_in(2) => wake.at.max(now),
            _ => now.plus(Duration::from_secs(1 + worker.dice.below(5))),
        };
        self.plan_at(next, Event::Works(index));
    }

    fn act(&mut self, index: usize) {
        let Some((_, queue, call)) = self.workers[index].acts.pop_front() else {
            return;
        };
        let name = self.workers[index].name.clone();
        self.call_by_clock(&name, &queue, call);
        let pause = Duration::from_secs(self.workers[index].dice.choose([0, 0, 1, 3]));
        let next = self.workers[index].acts.front().map(|(at, ..)| *at);
        self.plan_at(next.unwrap_or(self.now.plus(pause)), Event::Works(index));
    }

    /// A call by a clock that may have stepped back.
    pub(super) fn call_by_clock(&mut self, by: &str, queue: &QueueName, call: Call) -> Came {
        let steps = self.weather.one_in(self.plan.rate(Fault::ClockSteps));
        let back = if steps {
            self.weather.below(self.plan.visibility_ms * 2)
        } else {
            0
        };
        let at = Timestamp::from_millis(self.now.as_millis().saturating_sub(back));
        self.call(at, by, queue, call)
    }
}
