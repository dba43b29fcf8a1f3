//! Who else there is: a producer, an operator, and the weather.
//!
//! It knows what each of them does when its turn comes. It deliberately knows no worker.

use super::plan::Fault;
use super::world::{Event, World};
use crate::call::Call;
use crate::rules::Rules;
use crate::task::{Phase, TaskId};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::time::Duration;

impl<R: Rules + Clone> World<'_, R> {
    /// Every id comes once, and then again if the plan has duplicates.
    pub(super) fn produce(&mut self) {
        let all = u32::from(self.plan.tasks) * u32::from(self.plan.queues);
        if self.enqueued < all || self.producer.one_in(self.plan.rate(Fault::Duplicates)) {
            self.enqueue();
        }
        let pause = Duration::from_millis(self.producer.choose([500, 1_000, 2_000, 5_000, 10_000]));
        self.plan_at(self.now.plus(pause), Event::Produces);
    }

    pub(super) fn enqueue(&mut self) {
        let dice = &mut self.producer;
        let task = id(u64::from(self.enqueued % u32::from(self.plan.tasks)));
        let queue = dice.pick(&self.queues).cloned();
        let own = dice.one_in(self.plan.rate(Fault::OwnNumbers));
        self.enqueued += 1;
        let call = Call::Enqueue {
            payload: format!("{task} #{}", self.enqueued),
            task,
            max_attempts: if own { 1 + dice.below(3) as u32 } else { 0 },
            visibility: Duration::from_millis(if own {
                dice.choose([1_000, 1_500, 7_000])
            } else {
                0
            }),
        };
        let queue = queue.unwrap_or_else(|| self.queues[0].clone());
        self.call_by_clock("producer", &queue, call);
    }

    pub(super) fn operate(&mut self) {
        let queue = self.operator.pick(&self.queues).cloned();
        let queue = queue.unwrap_or_else(|| self.queues[0].clone());
        let dead = self.watched.oracle.ids(&queue, Phase::Dead);
        let call = match self.operator.below(6) {
            0 => Call::Depth,
            1 => Call::DeadLetters,
            2 | 3 => Call::Redrive {
                tasks: self.operator.pick(&dead).cloned().into_iter().collect(),
            },
            4 => Call::Redrive { tasks: Vec::new() },
            _ => {
                let anyone = id(self.operator.below(u64::from(self.plan.tasks)));
                Call::Redrive {
                    tasks: dead.iter().cloned().chain([anyone]).collect(),
                }
            }
        };
        self.call_by_clock("operator", &queue, call);
        let rate = u64::from(self.plan.rate(Fault::Redrives));
        let pause = Duration::from_secs(1 + self.operator.below(1 + 2 * rate));
        self.plan_at(self.now.plus(pause), Event::Operates);
    }

    /// Crashes, and a log that begins to fail.
    pub(super) fn weather(&mut self) {
        let queue = self.queues[0].clone();
        let seldom = 3; // a chance comes at every event
        if self.weather.one_in(self.plan.rate(Fault::Crashes) * seldom) {
            self.call(self.now, "server", &queue, Call::Reopen);
            for index in 0..self.workers.len() {
                if core::mem::take(&mut self.workers[index].waits) {
                    self.plan_at(self.now, Event::Works(index));
                }
            }
        }
        let breaks = !self.is_broken() && !self.watched.oracle.log_refuses();
        if breaks
            && self
                .weather
                .one_in(self.plan.rate(Fault::LogFailures) * seldom)
        {
            self.call(self.now, "server", &queue, Call::BreakLog);
            let while_ = Duration::from_secs(self.weather.choose([0, 1, 5, 30]));
            self.plan_at(self.now.plus(while_), Event::LogMends);
        }
    }

    pub(super) fn mend(&mut self) {
        if self.watched.oracle.log_refuses() {
            let queue = self.queues[0].clone();
            self.call(self.now, "server", &queue, Call::MendLog);
        }
    }
}

/// The ids are a, b, c and so on.
fn id(number: u64) -> TaskId {
    let letter = char::from(b'a' + (number % 26) as u8);
    TaskId::new(String::from(letter)).unwrap_or_else(|_| unreachable!("one letter is a short id"))
}
