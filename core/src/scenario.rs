//! A scenario: one schedule of calls with the outcomes it expects, as versioned JSON.
//!
//! It knows the format and its limits. It deliberately does not run anything: `run` does, and judges.

mod read;

use crate::call::{Call, Outcome};
use crate::task::{Options, QueueName, TaskId};
use crate::time::{self, Timestamp};
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::time::Duration;
use serde::{Deserialize, Serialize};

/// What a scenario's `format` field says.
pub const FORMAT: &str = "fencepost-scenario";
/// The version of the format that this build reads and writes.
pub const VERSION: u32 = 1;
/// The most text a scenario may have: 64 KiB.
pub const TEXT_BYTES_MAX: usize = 64 * 1024;
/// The most rows a scenario may have.
pub const ROWS_MAX: usize = 10_000;
/// The most different tasks a scenario may name.
pub const TASKS_MAX: usize = 2_000;
/// The most different callers a scenario may name.
pub const CALLERS_MAX: usize = 64;
/// The most different queues a scenario may name.
pub const QUEUES_MAX: usize = 8;
/// The longest name of a caller, and the longest goal or title, in bytes.
pub const LABEL_BYTES_MAX: usize = 128;
/// The largest payload or details a scenario may carry: 4 KiB.
pub const PAYLOAD_BYTES_MAX: usize = 4 * 1024;
/// The latest instant of a row, and the longest length: 10^9 ms, about eleven days.
pub const HORIZON: Timestamp = Timestamp::from_millis(1_000_000_000);

/// The scenarios that come with the crate: name and JSON text.
pub const SHELF: &[(&str, &str)] = &[("section-3", include_str!("../scenarios/section-3.json"))];

/// A schedule and what it expects.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// [`FORMAT`].
    pub format: String,
    /// [`VERSION`].
    pub version: u32,
    /// What it shows, in a few words.
    pub title: String,
    /// Where it comes from.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source: String,
    /// The queue that calls go to if they name none.
    pub queue: QueueName,
    /// The queue's default visibility timeout.
    #[serde(with = "time::serde_millis")]
    pub visibility: Duration,
    /// The queue's default max attempts.
    pub max_attempts: u32,
    /// Calls at time 0, before the first row.
    #[serde(default)]
    pub setup: Vec<Planned>,
    /// The table, row by row.
    pub rows: Vec<Row>,
    /// What a reader may want to see happen.
    #[serde(default)]
    pub goals: Vec<Goal>,
    /// What it came to when it was written, so that whoever opens it can tell whether it still does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seal: Option<Seal>,
}

/// What a scenario came to, by the chapter's rules, in the build that wrote it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seal {
    /// The run's digest.
    pub digest: String,
    /// The version of the core that played it.
    pub made_with: String,
}

/// One row of the table: its calls happen at one instant, in this order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// When.
    pub at: Timestamp,
    /// What is called.
    pub calls: Vec<Planned>,
}

/// One call, by someone, with what it should come to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Planned {
    /// Who calls.
    pub by: String,
    /// Which queue, if not the scenario's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queue: Option<QueueName>,
    /// What.
    pub call: Call,
    /// The expected outcome, if the scenario has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expect: Option<Outcome>,
}

/// Something to see happen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Goal {
    /// In words, for the reader.
    pub text: String,
    /// The event that reaches it.
    pub event: Event,
}

/// What can be seen to happen in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// A failed task waits for its retry.
    RetryWaits,
    /// A lease reached its deadline unanswered.
    LeaseExpired,
    /// A late call was refused.
    Fenced,
    /// Two workers believe that they own one task.
    TwoBelieve,
    /// A task was parked.
    DeadLetter,
    /// A dead letter was moved back.
    Redriven,
    /// A task was acknowledged.
    Completed,
    /// The queue crashed and opened again.
    Reopened,
}

impl Planned {
    /// A call by somebody on the scenario's own queue, with nothing expected of it.
    pub fn new(by: impl Into<String>, call: Call) -> Self {
        Planned {
            by: by.into(),
            queue: None,
            call,
            expect: None,
        }
    }
}

impl Scenario {
    /// Reads a scenario and checks it against the limits.
    pub fn parse(text: &str) -> Result<Self, ScenarioError> {
        limit("the text, in bytes,", text.len(), TEXT_BYTES_MAX)?;
        // The head first: what another version adds must not be called an unknown field.
        let read::Head { format, version } = read::from_json(text)?;
        if format != FORMAT || version != u64::from(VERSION) {
            return Err(ScenarioError::OtherFormat { format, version });
        }
        let scenario: Self = read::from_json(text)?;
        scenario.within_limits()?;
        Ok(scenario)
    }

    /// The scenario as text, as [`Scenario::parse`] reads it.
    pub fn to_json(&self) -> String {
        // Strings, numbers and lists: there is nothing in it that JSON cannot write.
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// The queue's defaults.
    pub fn options(&self) -> Options {
        Options {
            visibility: self.visibility,
            max_attempts: self.max_attempts,
        }
    }

    /// Every other queue that is called.
    pub fn other_queues(&self) -> Vec<QueueName> {
        let named = self
            .calls()
            .filter_map(|(_, planned)| planned.queue.as_ref());
        let others: BTreeSet<&QueueName> = named.filter(|name| **name != self.queue).collect();
        others.into_iter().cloned().collect()
    }

    /// Every call with its instant: the set-up's at 0, then the rows'.
    pub fn calls(&self) -> impl Iterator<Item = (Timestamp, &Planned)> {
        let rows = self
            .rows
            .iter()
            .flat_map(|row| row.calls.iter().map(|planned| (row.at, planned)));
        self.setup
            .iter()
            .map(|planned| (Timestamp::ZERO, planned))
            .chain(rows)
    }

    fn within_limits(&self) -> Result<(), ScenarioError> {
        limit("the number of rows", self.rows.len(), ROWS_MAX)?;
        limit("the number of calls", self.calls().count(), 2 * ROWS_MAX)?;
        let callers: BTreeSet<&str> = self
            .calls()
            .map(|(_, planned)| planned.by.as_str())
            .collect();
        limit("the number of callers", callers.len(), CALLERS_MAX)?;
        let tasks: BTreeSet<&TaskId> = self
            .calls()
            .flat_map(|(_, planned)| tasks_of(&planned.call))
            .collect();
        limit("the number of tasks", tasks.len(), TASKS_MAX)?;
        limit(
            "the number of queues",
            1 + self.other_queues().len(),
            QUEUES_MAX,
        )?;
        let goals = self.goals.iter().map(|goal| goal.text.as_str());
        for label in callers
            .into_iter()
            .chain(goals)
            .chain([self.title.as_str(), self.source.as_str()])
            .chain(
                self.seal
                    .iter()
                    .flat_map(|seal| [seal.digest.as_str(), seal.made_with.as_str()]),
            )
        {
            limit(
                "a name, title, goal or seal, in bytes,",
                label.len(),
                LABEL_BYTES_MAX,
            )?;
        }
        limit(
            "the visibility, in ms,",
            time::millis_up(self.visibility),
            HORIZON.as_millis(),
        )?;
        self.calls()
            .try_for_each(|(at, planned)| call_within_limits(at, &planned.call))
    }
}

/// Every task that a call names.
fn tasks_of(call: &Call) -> impl Iterator<Item = &TaskId> {
    let redriven: &[TaskId] = match call {
        Call::Redrive { tasks } => tasks,
        _ => &[],
    };
    call.task().into_iter().chain(redriven)
}

fn call_within_limits(at: Timestamp, call: &Call) -> Result<(), ScenarioError> {
    limit("a row's time, in ms,", at.as_millis(), HORIZON.as_millis())?;
    let (text, length) = match call {
        Call::Enqueue {
            payload,
            visibility,
            ..
        } => (payload.len(), *visibility),
        Call::Heartbeat { details, .. } => (details.len(), Duration::ZERO),
        Call::Fail {
            error, retry_after, ..
        } => (error.len(), *retry_after),
        Call::LongPoll { wait } => (0, *wait),
        _ => (0, Duration::ZERO),
    };
    limit(
        "a payload, details or error, in bytes,",
        text,
        PAYLOAD_BYTES_MAX,
    )?;
    limit(
        "a length, in ms,",
        time::millis_up(length),
        HORIZON.as_millis(),
    )
}

fn limit<N: TryInto<u64>>(
    what: &'static str,
    is: N,
    most: impl TryInto<u64>,
) -> Result<(), ScenarioError> {
    let (is, most) = (
        is.try_into().unwrap_or(u64::MAX),
        most.try_into().unwrap_or(u64::MAX),
    );
    if is > most {
        Err(ScenarioError::TooLarge { what, is, most })
    } else {
        Ok(())
    }
}

/// A scenario cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScenarioError {
    /// It is no scenario's JSON.
    Unreadable(String),
    /// It is of another format or version.
    OtherFormat {
        /// The format it names.
        format: String,
        /// The version it names.
        version: u64,
    },
    /// It goes past a limit.
    TooLarge {
        /// What does.
        what: &'static str,
        /// What it is.
        is: u64,
        /// The most it may be.
        most: u64,
    },
}

impl fmt::Display for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ScenarioError::Unreadable(why) => write!(
                f,
                "this is no scenario: {why}; see the format in the README"
            ),
            ScenarioError::OtherFormat { format, version } => {
                let format: String = format.chars().take(40).collect();
                write!(
                    f,
                    "a scenario says {FORMAT} {VERSION}, this says {format:?} {version}: use the build that made it"
                )
            }
            ScenarioError::TooLarge { what, is, most } => {
                write!(
                    f,
                    "{what} is at most {most}, here it is {is}: make the scenario smaller"
                )
            }
        }
    }
}

impl core::error::Error for ScenarioError {}
