//! Calls and their outcomes as data: what a schedule is written in, and what a table's cells hold.
//!
//! It knows how to carry a written call out on a queue. It deliberately knows no rule: an outcome is what
//! the queue answered, in the few fields that the chapter's tables show.

mod words;

use crate::refusal::Refusal;
use crate::task::{Attempt, DeadLetter, Depth, Lease, Phase, TaskId, Token};
use crate::time::{self, Timestamp};
use alloc::string::String;
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
    /// Ask for a task, and wait for one so long.
    LongPoll {
        /// How long.
        #[serde(with = "time::serde_millis")]
        wait: Duration,
    },
    /// Hear what the caller's waiting poll was told, if it was told anything.
    PollReturns,
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
    /// From now on the log refuses every record.
    BreakLog,
    /// From now on the log takes records again.
    MendLog,
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
    /// The poll waits.
    Waiting,
    /// The log was broken or mended.
    Done,
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
    /// Whether this outcome of this call changed a queue, and so wrote a record.
    pub fn is_change_by(&self, call: &Call) -> bool {
        match self {
            Outcome::Leased { .. } => *call != Call::PollReturns,
            Outcome::Redriven(count) => *count > 0,
            Outcome::Added
            | Outcome::Extended { .. }
            | Outcome::Completed { .. }
            | Outcome::Retrying { .. }
            | Outcome::DeadLettered
            | Outcome::Dropped => true,
            _ => false,
        }
    }

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
    /// The whole lease, if a poll or a heartbeat answered with one.
    pub lease: Option<Lease>,
    /// The whole dead letters, if they were listed.
    pub dead: Vec<DeadLetter>,
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
            _ => None,
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
}
