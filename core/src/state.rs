//! The state: what is true of every queue, and the only code that changes it.
//!
//! It knows two ways to change: [`State::apply`] a record, and [`State::pass_time`], which needs no record
//! because a lease and a retry say when they end. It deliberately refuses nothing, decides nothing and
//! writes nothing: whether a record may be written is `decide`'s.

mod held;
mod line;
mod room;
mod shelf;
mod slab;

use crate::record::Record;
use crate::rules::Rules;
use crate::task::{QueueName, Task, TaskId, Token};
use crate::time::Timestamp;
use alloc::collections::BTreeMap;

pub use held::{Held, LEASE_EXPIRED, Newest};
pub use shelf::Shelf;

/// All queues, one token counter, one clock.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// The largest instant ever given: the one rule about clocks that step back.
    now: Timestamp,
    /// The largest token handed out, over all queues.
    token_last: Token,
    /// The next enqueue's number: given once, kept until the task leaves.
    sequence_next: u64,
    /// A queue is here once something was enqueued into it.
    shelves: BTreeMap<QueueName, Shelf>,
}

impl State {
    /// The queue's now: the largest instant it was given.
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// The largest token handed out so far.
    pub fn token_last(&self) -> Token {
        self.token_last
    }

    /// One queue, if anything was ever enqueued into it.
    pub fn shelf(&self, queue: &QueueName) -> Option<&Shelf> {
        self.shelves.get(queue)
    }

    /// A held task of a queue.
    pub fn held(&self, queue: &QueueName, task: &TaskId) -> Option<&Held> {
        self.shelf(queue)?.get(task)
    }

    /// Time passes, for one queue: due retries become visible, expired leases end (section 2.1: nobody needs
    /// to watch the clock). A time before the largest one given changes nothing (decisions, time).
    ///
    /// Guarded by `calls::a_poison_task_dies_at_its_deadline`, `calls::a_retry_waits_its_delay` and
    /// `calls::a_clock_that_steps_back_is_the_largest_now`.
    pub fn pass_time<R: Rules>(&mut self, rules: &R, queue: &QueueName, now: Timestamp) {
        self.now = self.now.max(now);
        if let Some(shelf) = self.shelves.get_mut(queue) {
            shelf.settle(rules, self.now);
        }
    }

    /// A record happens, time having passed to its instant (section 2.5: open replays the records). It cannot
    /// be refused: whoever wrote it decided that it may.
    ///
    /// Guarded by `recovery::every_prefix_of_the_log_rebuilds_the_queue_of_its_time`.
    pub fn apply<R: Rules>(&mut self, rules: &R, queue: &QueueName, record: &Record) {
        if let Record::Enq {
            at,
            task,
            payload,
            max_attempts,
            visibility,
        } = record
        {
            let task = Task {
                id: task.clone(),
                payload: payload.clone(),
                max_attempts: *max_attempts,
                visibility: *visibility,
            };
            return self.add(rules, queue, task, *at);
        }
        if let Record::Lease { token, .. } = record {
            self.token_last = self.token_last.max(*token);
        }
        if let Some(shelf) = self.shelves.get_mut(queue) {
            apply_to_held(rules, shelf, record);
        }
    }

    /// The server restarted: the counter goes on from what the log holds.
    pub fn recover_tokens<R: Rules>(&mut self, rules: &R) {
        self.token_last = rules.token_after_recovery(self.token_last);
    }

    fn add<R: Rules>(&mut self, rules: &R, queue: &QueueName, task: Task, at: Timestamp) {
        let sequence = self.sequence_next;
        self.sequence_next += 1;
        self.shelves
            .entry(queue.clone())
            .or_default()
            .add(rules, task, sequence, at);
    }

    /// What must hold of the data at every entry and exit: the indices and the tasks say the same.
    pub fn invariants<R: Rules>(&self, rules: &R) {
        for shelf in self.shelves.values() {
            shelf.invariants(rules, self.sequence_next);
        }
    }
}

/// What each record but the first does to the task it names.
fn apply_to_held<R: Rules>(rules: &R, shelf: &mut Shelf, record: &Record) {
    match record {
        Record::Enq { .. } => {}
        Record::Lease {
            at,
            task,
            token,
            attempt,
            deadline,
            ..
        } => {
            shelf.change(rules, task, |held| {
                held.leased(*token, *attempt, *at, *deadline)
            });
        }
        Record::Hb {
            task,
            deadline,
            details,
            ..
        } => {
            shelf.change(rules, task, |held| held.extended(*deadline, details));
        }
        Record::Retry {
            at,
            task,
            visible_at,
            error,
            ..
        } => {
            shelf.change(rules, task, |held| held.retrying(*at, *visible_at, error));
        }
        Record::Dead {
            at,
            task,
            attempts,
            error,
            ..
        } => {
            shelf.change(rules, task, |held| held.dead(*attempts, *at, error));
        }
        Record::Redrive { at, tasks } => {
            for task in tasks {
                shelf.change(rules, task, |held| {
                    held.redriven(rules.attempts_after_redrive(held.attempt()), *at);
                });
            }
        }
        Record::Ack { .. } if !rules.leaves_when_acknowledged() => {}
        Record::Ack { task, .. } | Record::Drop { task, .. } => shelf.remove(rules, task),
    }
}
