//! Calls and their outcomes as data: what a schedule is written in, and what a table's cells hold.
//!
//! It knows how to carry a written call out on a queue. It deliberately knows no rule: an outcome is what
//! the queue answered, in the few fields that the chapter's tables show.

mod words;

use crate::bench::Bench;
use crate::refusal::Refusal;
use crate::rules::Rules;
use crate::task::{
    Attempt, DeadLetter, Depth, Disposition, Enqueued, LeaseId, Phase, Task, TaskError, TaskId,
    Token,
};
use crate::time::{self, Timestamp};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::time::Duration;
use serde::{Deserialize, Serialize};

pub(crate) use words::plural;

/// One call of the chapter's section 4, written down.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Call {
    /// Add a task.
    Enqueue {
        /// Its id.
        task: TaskId,
        /// Its payload, as text.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        payload: String,
        /// Its max attempts, 0 for the default.
        #[serde(default)]
        max_attempts: u32,
        /// Its visibility timeout, 0 for the default.
        #[serde(default, with = "time::serde_millis")]
        visibility: Duration,
    },
    /// Ask for a task.
    Poll,
    /// Ask whether a lease may still act.
    Check {
        /// The task.
        task: TaskId,
        /// The lease's token.
        token: Token,
    },
    /// Extend a lease.
    Heartbeat {
        /// The task.
        task: TaskId,
        /// The lease's token.
        token: Token,
        /// Details to keep, as text.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        details: String,
    },
    /// Report the work done.
    Complete {
        /// The task.
        task: TaskId,
        /// The lease's token.
        token: Token,
    },
    /// Report the work failed.
    Fail {
        /// The task.
        task: TaskId,
        /// The lease's token.
        token: Token,
        /// What went wrong.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        error: String,
        /// True if a retry cannot help.
        #[serde(default)]
        non_retryable: bool,
        /// How long to wait before the retry.
        #[serde(default, with = "time::serde_millis")]
        retry_after: Duration,
    },
    /// List the dead letters.
    DeadLetters,
    /// Move dead letters back: these, or all if none is named.
    Redrive {
        /// Their ids.
        #[serde(default)]
        tasks: Vec<TaskId>,
    },
    /// Count the tasks.
    Depth,
    /// Crash, then open the queue again from its log.
    Reopen,
}

/// What a call answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Outcome {
    /// The task was added.
    Added,
    /// The id was held already, in this phase.
    AlreadyHeld(Phase),
    /// A task was handed out.
    Leased {
        /// The task.
        task: TaskId,
        /// Which delivery this is.
        attempt: Attempt,
        /// The fencing token.
        token: Token,
        /// When the lease is over.
        deadline: Timestamp,
    },
    /// The lease may act.
    Live,
    /// The lease is over later now.
    Extended {
        /// When.
        deadline: Timestamp,
    },
    /// The task is done and left.
    Completed {
        /// The task.
        task: TaskId,
    },
    /// The task will be delivered again.
    Retrying {
        /// When it is visible again.
        visible_at: Timestamp,
    },
    /// The task is parked.
    DeadLettered,
    /// The task left.
    Dropped,
    /// The dead letters, in enqueue order.
    DeadLetters(Vec<DeadLine>),
    /// So many dead letters were moved back.
    Redriven(usize),
    /// The counts.
    Depth(Depth),
    /// The queue is open again.
    Reopened,
    /// Nothing is visible.
    NoTask,
    /// The lease may not act.
    LeaseLost,
    /// No such dead letter.
    NotFound,
    /// Refused for this other reason.
    Refused(String),
}

/// One dead letter as a table shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeadLine {
    /// The task.
    pub task: TaskId,
    /// How often it was delivered.
    pub attempts: Attempt,
    /// When it died.
    pub at: Timestamp,
}

impl Outcome {
    /// True if the call was refused. A poll that finds nothing is told so, and that is no refusal here.
    pub fn is_refusal(&self) -> bool {
        matches!(
            self,
            Outcome::LeaseLost | Outcome::NotFound | Outcome::Refused(_)
        )
    }
}

/// What a carried-out call came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The outcome, as a table shows it.
    pub outcome: Outcome,
    /// The refusal with its reason, if it was one.
    pub refusal: Option<Refusal>,
}

impl Call {
    /// The task the call names, if it names one.
    pub fn task(&self) -> Option<&TaskId> {
        match self {
            Call::Enqueue { task, .. }
            | Call::Check { task, .. }
            | Call::Heartbeat { task, .. }
            | Call::Complete { task, .. }
            | Call::Fail { task, .. } => Some(task),
            Call::Poll | Call::DeadLetters | Call::Redrive { .. } | Call::Depth | Call::Reopen => {
                None
            }
        }
    }

    /// The lease the call shows, if it shows one.
    pub fn lease(&self) -> Option<(&TaskId, Token)> {
        match self {
            Call::Check { task, token }
            | Call::Heartbeat { task, token, .. }
            | Call::Complete { task, token }
            | Call::Fail { task, token, .. } => Some((task, *token)),
            _ => None,
        }
    }

    /// Carries the call out on the queue.
    pub fn carry_out<R: Rules + Clone>(
        &self,
        on: &mut Bench<R>,
        now: Timestamp,
        by: &str,
    ) -> Answer {
        let answered = self.ask(on, now, by);
        if let Ok(Outcome::Leased { token, .. }) = &answered {
            on.remember_holder(*token, by);
        }
        match answered {
            Ok(outcome) => Answer {
                outcome,
                refusal: None,
            },
            Err(refusal) => Answer {
                outcome: outcome_of(&refusal),
                refusal: Some(refusal),
            },
        }
    }

    fn ask<R: Rules + Clone>(
        &self,
        on: &mut Bench<R>,
        now: Timestamp,
        by: &str,
    ) -> Result<Outcome, Refusal> {
        let name = on.name.clone();
        let lease = |task: &TaskId, token: &Token| LeaseId {
            queue: name.clone(),
            task: task.clone(),
            token: *token,
        };
        let queue = &mut on.queue;
        Ok(match self {
            Call::Enqueue {
                task,
                payload,
                max_attempts,
                visibility,
            } => {
                let task = Task {
                    id: task.clone(),
                    payload: payload.as_str().into(),
                    max_attempts: *max_attempts,
                    visibility: *visibility,
                };
                match queue.enqueue(now, &name, &task)? {
                    Enqueued::Added => Outcome::Added,
                    Enqueued::AlreadyHeld(phase) => Outcome::AlreadyHeld(phase),
                }
            }
            Call::Poll => {
                let lease = queue.poll(now, &name, by)?;
                let (attempt, token, deadline) = (lease.attempt, lease.token, lease.deadline);
                Outcome::Leased {
                    task: lease.task.id,
                    attempt,
                    token,
                    deadline,
                }
            }
            Call::Check { task, token } => queue
                .check(now, &lease(task, token))
                .map(|()| Outcome::Live)?,
            Call::Heartbeat {
                task,
                token,
                details,
            } => {
                let deadline = queue
                    .heartbeat(now, &lease(task, token), &details.as_str().into())?
                    .deadline;
                Outcome::Extended { deadline }
            }
            Call::Complete { task, token } => {
                queue.complete(now, &lease(task, token))?;
                Outcome::Completed { task: task.clone() }
            }
            Call::Fail {
                task,
                token,
                error,
                non_retryable,
                retry_after,
            } => {
                let error = TaskError {
                    message: error.as_str().into(),
                    non_retryable: *non_retryable,
                    retry_after: *retry_after,
                };
                match queue.fail(now, &lease(task, token), &error)? {
                    Disposition::Retrying { visible_at } => Outcome::Retrying { visible_at },
                    Disposition::DeadLettered => Outcome::DeadLettered,
                    Disposition::Dropped => Outcome::Dropped,
                }
            }
            Call::DeadLetters => Outcome::DeadLetters(
                queue
                    .dead_letters(now, &name)
                    .into_iter()
                    .map(dead_line)
                    .collect(),
            ),
            Call::Redrive { tasks } => Outcome::Redriven(queue.redrive(now, &name, tasks)?),
            Call::Depth => Outcome::Depth(queue.depth(now, &name)),
            Call::Reopen => on.reopen().map_or_else(
                |error| Outcome::Refused(error.to_string()),
                |()| Outcome::Reopened,
            ),
        })
    }
}

fn outcome_of(refusal: &Refusal) -> Outcome {
    match refusal {
        Refusal::NoTask { .. } => Outcome::NoTask,
        Refusal::LeaseLost { .. } => Outcome::LeaseLost,
        Refusal::NotFound { .. } => Outcome::NotFound,
        other => Outcome::Refused(other.to_string()),
    }
}

fn dead_line(dead: DeadLetter) -> DeadLine {
    DeadLine {
        task: dead.task.id,
        attempts: dead.attempts,
        at: dead.at,
    }
}
