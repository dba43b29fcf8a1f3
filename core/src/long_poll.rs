//! The long poll: polls that wait, in the order in which they began to, for any driver to turn.
//!
//! It knows who waits, until when, and when it is worth looking again and why. It deliberately does not
//! wait: a driver calls [`Lobby::turn`] after every change and at every [`Lobby::wake`]. The simulation
//! does so by moving a number, a server by a condition variable.

use crate::log::Log;
use crate::queue::Queue;
use crate::refusal::Refusal;
use crate::rules::Rules;
use crate::task::{Lease, QueueName};
use crate::time::Timestamp;
use crate::wake::Why;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;
use core::time::Duration;

/// A waiting poll's place in the order in which they began.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ticket(u64);

/// When to turn the lobby again if nothing changes before, and why then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LobbyWake {
    /// When.
    pub at: Timestamp,
    /// Why: a retry or a lease of the queue; `None` is the end of somebody's wait.
    pub why: Option<Why>,
}

/// A waiting poll that has its answer: a lease, or `NoTask` at the end of its wait, or why it failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Served {
    /// Whose.
    pub ticket: Ticket,
    /// The answer. It is given once; the ticket is gone.
    pub answer: Result<Lease, Refusal>,
}

/// All polls that wait, over all queues.
#[derive(Clone, Debug, Default)]
pub struct Lobby {
    waiting: BTreeMap<QueueName, BTreeMap<Ticket, Waiting>>,
    ends: BTreeSet<(Timestamp, Ticket, QueueName)>,
    ticket_next: u64,
}

#[derive(Clone, Debug)]
struct Waiting {
    worker: String,
    ends_at: Timestamp,
}

impl Lobby {
    /// A poll begins to wait, until `wait` from now. It is last in the order; turn the lobby next.
    pub fn start(
        &mut self,
        now: Timestamp,
        queue: &QueueName,
        worker: &str,
        wait: Duration,
    ) -> Ticket {
        let ticket = Ticket(self.ticket_next);
        self.ticket_next += 1;
        let waiting = Waiting {
            worker: String::from(worker),
            ends_at: now.plus(wait),
        };
        self.ends.insert((waiting.ends_at, ticket, queue.clone()));
        self.waiting
            .entry(queue.clone())
            .or_default()
            .insert(ticket, waiting);
        ticket
    }

    /// A poll no longer waits. Nothing is left of it; false if it had its answer already.
    pub fn cancel(&mut self, queue: &QueueName, ticket: Ticket) -> bool {
        let Some(line) = self.waiting.get_mut(queue) else {
            return false;
        };
        let Some(gone) = line.remove(&ticket) else {
            return false;
        };
        if line.is_empty() {
            self.waiting.remove(queue);
        }
        self.ends.remove(&(gone.ends_at, ticket, queue.clone()))
    }

    /// How many wait.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True if nobody waits.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Serves whoever can be served at this instant, in the order in which they began to wait, then ends
    /// the waits that are over.
    pub fn turn<L: Log, R: Rules>(
        &mut self,
        queue: &mut Queue<L, R>,
        now: Timestamp,
    ) -> Vec<Served> {
        let names: Vec<QueueName> = self.waiting.keys().cloned().collect();
        let mut served: Vec<Served> = names
            .iter()
            .flat_map(|name| self.serve(queue, now, name))
            .collect();
        while let Some(ended) = self.over(queue, now) {
            served.push(ended);
        }
        served
    }

    /// When to turn again if nothing changes before: the earliest of the next retry, the next deadline and
    /// the next end of a wait (section 2.4). `None` if nobody waits.
    pub fn wake<L: Log, R: Rules>(
        &self,
        queue: &mut Queue<L, R>,
        now: Timestamp,
    ) -> Option<LobbyWake> {
        let (at, ..) = self.ends.first()?;
        let mut soonest = LobbyWake { at: *at, why: None };
        for name in self.waiting.keys() {
            if let Some(wake) = queue.wake_for_poll(now, name)
                && wake.at < soonest.at
            {
                soonest = LobbyWake {
                    at: wake.at,
                    why: Some(wake.why),
                };
            }
        }
        Some(soonest)
    }

    fn serve<L: Log, R: Rules>(
        &mut self,
        queue: &mut Queue<L, R>,
        now: Timestamp,
        name: &QueueName,
    ) -> Vec<Served> {
        let mut served = Vec::new();
        while let Some((ticket, worker)) = self.first(name) {
            match queue.poll(now, name, &worker) {
                Err(Refusal::NoTask { .. }) => break,
                answer => {
                    self.cancel(name, ticket);
                    served.push(Served { ticket, answer });
                }
            }
        }
        served
    }

    fn first(&self, name: &QueueName) -> Option<(Ticket, String)> {
        let (ticket, waiting) = self.waiting.get(name)?.first_key_value()?;
        Some((*ticket, waiting.worker.clone()))
    }

    /// The next wait that is over, answered.
    fn over<L: Log, R: Rules>(
        &mut self,
        queue: &mut Queue<L, R>,
        now: Timestamp,
    ) -> Option<Served> {
        let (ends_at, ticket, name) = self.ends.first().cloned()?;
        if !queue.rules().wait_is_over(now, ends_at) {
            return None;
        }
        self.cancel(&name, ticket);
        let answer = Err(Refusal::NoTask {
            ask_again: queue.wake(now, &name),
        });
        Some(Served { ticket, answer })
    }
}
