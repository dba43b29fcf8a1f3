//! The oracle: what must always hold, judged from calls and answers alone.
//!
//! It knows what was asked, what was answered and when. It deliberately never looks into the queue: its
//! own few notes are a second opinion. What it finds broken it keeps, with the step and the ids.

use crate::call::{Call, Outcome};
use crate::task::{TaskId, Token};
use crate::time::Timestamp;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;

/// What must hold at every step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Property {
    /// Never two live leases of one task (faults, S6).
    OneLiveLease,
    /// Each token is larger than all before it (S4).
    TokensRise,
    /// Nothing is delivered before it is visible (S8).
    NothingEarly,
    /// A task is acknowledged at most once, and only by its newest live lease (S12).
    OneAcknowledgement,
    /// The log alone rebuilds what every call can see (S23).
    LogReplays,
}

/// All properties, in the order in which they are shown.
pub const PROPERTIES: [Property; 5] = [
    Property::OneLiveLease,
    Property::TokensRise,
    Property::NothingEarly,
    Property::OneAcknowledgement,
    Property::LogReplays,
];

impl Property {
    /// The property in a few words.
    pub fn name(self) -> &'static str {
        match self {
            Property::OneLiveLease => "at most one live lease a task",
            Property::TokensRise => "tokens only rise",
            Property::NothingEarly => "nothing delivered early",
            Property::OneAcknowledgement => "one acknowledgement a task",
            Property::LogReplays => "log replays to this state",
        }
    }
}

/// A property that did not hold: the step, and what happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The step at which it was first seen.
    pub step: usize,
    /// What happened, with the ids.
    pub what: String,
}

/// The oracle's own notes.
#[derive(Clone, Debug, Default)]
pub struct Oracle {
    tasks: BTreeMap<TaskId, Notes>,
    token_last: Token,
    broken: BTreeMap<Property, Broken>,
}

/// What is known of one task from the answers so far.
#[derive(Clone, Copy, Debug)]
struct Notes {
    /// The earliest instant at which it may be delivered, leases aside.
    visible_at: Timestamp,
    /// The newest lease that was not answered yet.
    lease: Option<(Token, Timestamp)>,
}

impl Oracle {
    /// Listens to one call and its answer at the queue's now.
    pub fn listen(&mut self, step: usize, now: Timestamp, call: &Call, outcome: &Outcome) {
        match (call, outcome) {
            (Call::Enqueue { task, .. }, Outcome::Added) => {
                self.tasks.insert(
                    task.clone(),
                    Notes {
                        visible_at: now,
                        lease: None,
                    },
                );
            }
            (
                _,
                Outcome::Leased {
                    task,
                    token,
                    deadline,
                    ..
                },
            ) => self.leased(step, now, task, *token, *deadline),
            (Call::Heartbeat { task, .. }, Outcome::Extended { deadline }) => {
                if let Some((_, until)) = self
                    .tasks
                    .get_mut(task)
                    .and_then(|notes| notes.lease.as_mut())
                {
                    *until = *deadline;
                }
            }
            (Call::Complete { task, token }, Outcome::Completed { .. }) => {
                self.completed(step, now, task, *token)
            }
            (
                Call::Fail {
                    task, retry_after, ..
                },
                Outcome::Retrying { .. },
            ) => {
                self.given_up(task, now.plus(*retry_after));
            }
            (Call::Fail { task, .. }, Outcome::DeadLettered) => self.given_up(task, now),
            (Call::Fail { task, .. }, Outcome::Dropped) => drop(self.tasks.remove(task)),
            _ => {}
        }
    }

    /// Hears whether the log alone rebuilt the queue.
    pub fn replayed(&mut self, step: usize, difference: Option<String>) {
        if let Some(what) = difference {
            self.found(Property::LogReplays, step, what);
        }
    }

    /// What was broken first, if the property was ever broken.
    pub fn broken(&self, property: Property) -> Option<&Broken> {
        self.broken.get(&property)
    }

    fn found(&mut self, property: Property, step: usize, what: String) {
        self.broken.entry(property).or_insert(Broken { step, what });
    }

    fn leased(
        &mut self,
        step: usize,
        now: Timestamp,
        task: &TaskId,
        token: Token,
        deadline: Timestamp,
    ) {
        if token <= self.token_last {
            let what = format!(
                "token {token} of task {task} came after token {}",
                self.token_last
            );
            self.found(Property::TokensRise, step, what);
        }
        self.token_last = self.token_last.max(token);
        let notes = self.tasks.get(task).copied();
        match notes {
            Some(Notes {
                lease: Some((older, until)),
                ..
            }) if now < until => {
                let what = format!(
                    "task {task} went out as token {token} at {now} s, token {older} ran until {until} s"
                );
                self.found(Property::OneLiveLease, step, what);
            }
            Some(Notes { visible_at, .. }) if now < visible_at => {
                let what =
                    format!("task {task} went out at {now} s, it was hidden until {visible_at} s");
                self.found(Property::NothingEarly, step, what);
            }
            Some(_) => {}
            None => {
                let what =
                    format!("task {task} went out at {now} s, and the queue does not hold it");
                self.found(Property::NothingEarly, step, what);
            }
        }
        let visible_at = notes.map_or(now, |notes| notes.visible_at);
        self.tasks.insert(
            task.clone(),
            Notes {
                visible_at,
                lease: Some((token, deadline)),
            },
        );
    }

    fn completed(&mut self, step: usize, now: Timestamp, task: &TaskId, token: Token) {
        let newest = self.tasks.remove(task).and_then(|notes| notes.lease);
        let fault = match newest {
            None => format!("task {task} was acknowledged by token {token} without a lease"),
            Some((newest, _)) if newest != token => {
                format!("task {task} was acknowledged by token {token}, its newest was {newest}")
            }
            Some((_, until)) if now >= until => {
                format!("task {task} was acknowledged at {now} s, its lease was over at {until} s")
            }
            Some(_) => return,
        };
        self.found(Property::OneAcknowledgement, step, fault);
    }

    fn given_up(&mut self, task: &TaskId, visible_at: Timestamp) {
        self.tasks.insert(
            task.clone(),
            Notes {
                visible_at,
                lease: None,
            },
        );
    }
}
