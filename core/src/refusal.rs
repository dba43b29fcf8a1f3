//! Why a call was refused: each variant names the rule, the value and the way out.
//!
//! It knows the reasons and their one text. It deliberately does not decide which applies.

use crate::task::{BadName, Phase, QueueName, TaskId, Token};
use crate::time::Timestamp;
use crate::wake::Wake;
use alloc::string::String;
use core::fmt;

/// A call was refused, and changed nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Nothing is visible (section 2.4, `ErrNoTask`).
    NoTask {
        /// When it is worth asking again if nobody changes the queue before; `None`: only a change helps.
        ask_again: Option<Wake>,
    },
    /// The lease is not the task's newest, or is over (section 2.2, `ErrLeaseLost`).
    LeaseLost {
        /// The task.
        task: TaskId,
        /// The token that was shown.
        token: Token,
        /// What became of that lease.
        why: Lost,
    },
    /// No dead letter of this queue has this id (section 4, `ErrNotFound`).
    NotFound {
        /// The queue.
        queue: QueueName,
        /// The id.
        task: TaskId,
    },
    /// The queue holds this id already. `enqueue` answers it as success (section 2.5).
    AlreadyHeld {
        /// What the held task is.
        phase: Phase,
    },
    /// An id or a queue name is empty or too long.
    BadName(BadName),
    /// Something is larger than its limit.
    TooLarge {
        /// What is too large.
        what: &'static str,
        /// How many bytes were given.
        bytes: usize,
        /// How many bytes are allowed.
        bytes_max: usize,
    },
    /// The log did not take the record, so nothing changed (section 2.5).
    Log(LogError),
}

/// Why a lease may not act (section 2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lost {
    /// It was over at this instant, its deadline.
    Over {
        /// The deadline.
        deadline: Timestamp,
    },
    /// A newer lease of the task was handed out.
    Replaced {
        /// The newer lease's token.
        by: Token,
        /// When it was handed out.
        at: Timestamp,
    },
    /// The task's newest lease was given up by a failure or a redrive; the task is now in this phase.
    GivenUp {
        /// What the task is now.
        phase: Phase,
    },
    /// The queue does not hold the task: it was acknowledged or dropped, or never enqueued.
    Gone,
}

/// The log did not take a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LogError {
    /// It may not grow further.
    Full {
        /// How many records it holds.
        records: usize,
    },
    /// It failed in a way of its own.
    Failed {
        /// What it said.
        reason: String,
    },
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::NoTask { ask_again: None } => {
                write!(
                    f,
                    "no task: nothing is visible, and only an enqueue or a redrive can change that"
                )
            }
            Refusal::NoTask {
                ask_again: Some(wake),
            } => {
                write!(f, "no task: nothing is visible; ask again at {wake}")
            }
            Refusal::LeaseLost { task, token, why } => {
                write!(
                    f,
                    "lease lost: token {token} of task \"{task}\" {why}; poll for a new lease"
                )
            }
            Refusal::NotFound { queue, task } => {
                write!(
                    f,
                    "not found: queue \"{queue}\" has no dead letter \"{task}\"; list its dead letters first"
                )
            }
            Refusal::AlreadyHeld { phase } => write!(f, "already held: the task is {phase}"),
            Refusal::BadName(bad) => bad.fmt(f),
            Refusal::TooLarge {
                what,
                bytes,
                bytes_max,
            } => {
                write!(
                    f,
                    "too large: {what} is at most {bytes_max} bytes, this is {bytes}; send less"
                )
            }
            Refusal::Log(error) => error.fmt(f),
        }
    }
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Lost::Over { deadline } => write!(f, "was over at its deadline, {deadline} s"),
            Lost::Replaced { by, at } => write!(f, "was replaced by token {by} at {at} s"),
            Lost::GivenUp { phase } => write!(f, "was given up, the task is {phase}"),
            Lost::Gone => write!(f, "is for a task the queue does not hold"),
        }
    }
}

impl fmt::Display for LogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LogError::Full { records } => {
                write!(
                    f,
                    "log full: it holds {records} records and takes no more; nothing changed, make room and call again"
                )
            }
            LogError::Failed { reason } => write!(
                f,
                "log failed: {reason}; nothing changed, call again once it works"
            ),
        }
    }
}

impl core::error::Error for Refusal {}
impl core::error::Error for LogError {}

impl From<BadName> for Refusal {
    fn from(bad: BadName) -> Self {
        Refusal::BadName(bad)
    }
}
