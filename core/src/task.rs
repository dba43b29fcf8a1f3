//! What a queue holds and hands out: tasks, leases, dead letters (chapter, section 4).
//!
//! It knows the shapes and their limits. It deliberately knows no rule: nothing here decides anything.

use crate::bytes::Bytes;
use crate::time::{self, Timestamp};
use alloc::string::String;
use compact_str::CompactString;
use core::fmt;
use core::time::Duration;
use serde::{Deserialize, Serialize};

/// The largest payload a task may carry, and the largest details a heartbeat may leave: 256 KiB.
pub const PAYLOAD_BYTES_MAX: usize = 256 * 1024;
/// The longest error message a failure may leave, and the longest worker name: 1 KiB.
pub const TEXT_BYTES_MAX: usize = 1024;

/// Text that is mostly short: up to 24 bytes of it need no memory of their own.
pub type Text = CompactString;

/// A name with a limit, checked where it is made.
macro_rules! name {
    ($(#[$doc:meta])* $name:ident, $what:literal, $max:literal) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "Text", into = "Text")]
        #[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(type = "string"))]
        pub struct $name(Text);

        impl $name {
            /// The most bytes of UTF-8 it may have.
            pub const BYTES_MAX: usize = $max;

            /// Checks the length: 1 byte to [`Self::BYTES_MAX`] bytes.
            pub fn new(text: impl Into<Text>) -> Result<Self, BadName> {
                let text = text.into();
                if text.is_empty() || text.len() > Self::BYTES_MAX {
                    return Err(BadName { what: $what, bytes: text.len(), bytes_max: Self::BYTES_MAX });
                }
                Ok(Self(text))
            }

            /// The name as it was given.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl TryFrom<Text> for $name {
            type Error = BadName;
            fn try_from(text: Text) -> Result<Self, BadName> {
                Self::new(text)
            }
        }

        impl From<$name> for Text {
            fn from(name: $name) -> Text {
                name.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

name! {
    /// A task's id: 1 to 256 bytes of UTF-8, unique among the tasks its queue holds.
    TaskId, "task id", 256
}
name! {
    /// A queue's name: 1 to 128 bytes of UTF-8.
    QueueName, "queue name", 128
}

/// An id or a name is empty or too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadName {
    /// What was to be named.
    pub what: &'static str,
    /// How many bytes were given.
    pub bytes: usize,
    /// How many bytes are allowed at most.
    pub bytes_max: usize,
}

impl fmt::Display for BadName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BadName {
            what,
            bytes,
            bytes_max,
        } = self;
        write!(
            f,
            "a {what} has 1 to {bytes_max} bytes, this one has {bytes}: choose another"
        )
    }
}

impl core::error::Error for BadName {}

/// A fencing token: larger than every token handed out before it, over all queues and restarts
/// (section 2.2). Zero is no token: the first one handed out is 1.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(type = "number"))]
pub struct Token(pub u64);

/// Which delivery of a task this is, 1 for the first (section 2.1). Zero: never delivered yet.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(type = "number"))]
pub struct Attempt(pub u32);

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A piece of work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Its id.
    pub id: TaskId,
    /// What the worker gets, untouched; at most [`PAYLOAD_BYTES_MAX`].
    pub payload: Bytes,
    /// Deliveries before the dead letters; 0 means the queue's default, resolved at enqueue.
    pub max_attempts: u32,
    /// How long a lease lasts; 0 means the queue's default, resolved at enqueue.
    pub visibility: Duration,
}

impl Task {
    /// A task with no payload and the queue's defaults.
    pub fn new(id: TaskId) -> Self {
        Task {
            id,
            payload: Bytes::NONE,
            max_attempts: 0,
            visibility: Duration::ZERO,
        }
    }
}

/// The queue's defaults (section 4, `Options`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The visibility timeout V of a task that names none; 0 means 30 s.
    pub visibility: Duration,
    /// The max attempts M of a task that names none; 0 means 5.
    pub max_attempts: u32,
}

impl Options {
    /// The defaults with their zeros resolved.
    pub fn resolved(self) -> Self {
        let visibility = if self.visibility.is_zero() {
            Duration::from_secs(30)
        } else {
            self.visibility
        };
        let max_attempts = if self.max_attempts == 0 {
            5
        } else {
            self.max_attempts
        };
        // Whole milliseconds from here on, rounded up, so that what is recorded is what is used.
        Options {
            visibility: Duration::from_millis(time::millis_up(visibility)),
            max_attempts,
        }
    }

    /// The task with its zeros resolved to these defaults, its visibility in whole milliseconds.
    pub fn resolve(self, task: &Task) -> Task {
        let defaults = self.resolved();
        let visibility = if task.visibility.is_zero() {
            defaults.visibility
        } else {
            task.visibility
        };
        Task {
            id: task.id.clone(),
            payload: task.payload.clone(),
            max_attempts: if task.max_attempts == 0 {
                defaults.max_attempts
            } else {
                task.max_attempts
            },
            visibility: Duration::from_millis(time::millis_up(visibility)),
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Options {
            visibility: Duration::ZERO,
            max_attempts: 0,
        }
        .resolved()
    }
}

/// What identifies a lease: these three and nothing else (section 4).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LeaseId {
    /// The queue it was handed out from.
    pub queue: QueueName,
    /// The task it is for.
    pub task: TaskId,
    /// Its fencing token.
    pub token: Token,
}

/// A task, handed to one worker until a deadline (section 2.1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    /// The queue it was handed out from.
    pub queue: QueueName,
    /// The task, with its resolved visibility and max attempts.
    pub task: Task,
    /// The fencing token.
    pub token: Token,
    /// Which delivery this is.
    pub attempt: Attempt,
    /// The instant at which the lease is over; it is live before it.
    pub deadline: Timestamp,
    /// The last heartbeat's details, kept across attempts.
    pub details: Bytes,
}

impl Lease {
    /// The three fields that identify this lease.
    pub fn id(&self) -> LeaseId {
        LeaseId {
            queue: self.queue.clone(),
            task: self.task.id.clone(),
            token: self.token,
        }
    }
}

/// Why a worker gives a task up (section 2.3).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaskError {
    /// What went wrong, for the dead letter; at most [`TEXT_BYTES_MAX`].
    pub message: Text,
    /// True if trying again cannot help: the task is dropped.
    pub non_retryable: bool,
    /// How long the task stays hidden before its retry.
    pub retry_after: Duration,
}

/// What became of a task whose worker failed (section 2.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disposition {
    /// It will be delivered again, from this instant on.
    Retrying {
        /// When it is visible again.
        visible_at: Timestamp,
    },
    /// It is parked among the dead letters.
    DeadLettered,
    /// It left the queue.
    Dropped,
}

/// A task parked after its last attempt (section 4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeadLetter {
    /// The task.
    pub task: Task,
    /// How often it was delivered.
    pub attempts: Attempt,
    /// Why its last attempt ended.
    pub last_error: String,
    /// When it died: the failure's instant, or the last lease's deadline.
    pub at: Timestamp,
}

/// Whether an enqueue added anything; both are success (section 2.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Enqueued {
    /// The task is new.
    Added,
    /// The queue holds this id already, in this phase; nothing changed.
    AlreadyHeld(Phase),
}

/// What a held task is (section 2.1, with the retry's wait told apart).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Phase {
    /// Deliverable now.
    Visible,
    /// Waiting for its retry to come due.
    Delayed,
    /// With a worker, until a deadline.
    Leased,
    /// Among the dead letters.
    Dead,
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Phase::Visible => "visible",
            Phase::Delayed => "delayed",
            Phase::Leased => "leased",
            Phase::Dead => "dead",
        })
    }
}

/// How many tasks a queue holds, by phase. The chapter's triple is (visible, leased, dead).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Depth {
    /// Deliverable now.
    pub visible: u32,
    /// Waiting for a retry.
    pub delayed: u32,
    /// With a worker.
    pub leased: u32,
    /// Among the dead letters.
    pub dead: u32,
}
