//! Calls and outcomes in a table's words. Times are seconds, as in the chapter's tables.
//!
//! It knows how a table says things. It deliberately knows nothing else.

use super::{Call, DeadLine, Outcome};
use crate::task::{Depth, TaskId};
use crate::time::Secs;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// A call in a table's words: `Fail(a, token 1, retry after 5 s)`.
impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Call::Enqueue { task, .. } => write!(f, "Enqueue({task})"),
            Call::Poll => write!(f, "Poll"),
            Call::Check { task, token } => write!(f, "Check({task}, token {token})"),
            Call::Heartbeat { task, token, .. } => write!(f, "Heartbeat({task}, token {token})"),
            Call::Complete { task, token } => write!(f, "Complete({task}, token {token})"),
            Call::Fail {
                task,
                token,
                non_retryable: true,
                ..
            } => {
                write!(f, "Fail({task}, token {token}, non-retryable)")
            }
            Call::Fail {
                task,
                token,
                retry_after,
                ..
            } => {
                write!(
                    f,
                    "Fail({task}, token {token}, retry after {} s)",
                    Secs(*retry_after)
                )
            }
            Call::DeadLetters => write!(f, "DLQ"),
            Call::Redrive { tasks } if tasks.is_empty() => write!(f, "Redrive"),
            Call::Redrive { tasks } => {
                let ids: Vec<&str> = tasks.iter().map(TaskId::as_str).collect();
                write!(f, "Redrive({})", ids.join(", "))
            }
            Call::Depth => write!(f, "Depth"),
            Call::Reopen => write!(f, "Crash, then Open"),
            Call::LongPoll { wait } => write!(f, "Poll(wait {} s)", Secs(*wait)),
            Call::PollReturns => write!(f, "Poll returns"),
            Call::BreakLog => write!(f, "The log fails"),
            Call::MendLog => write!(f, "The log works"),
        }
    }
}

/// An outcome in a table's words: `a, attempt 1, token 1, deadline 30`.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Added => write!(f, "added"),
            Outcome::AlreadyHeld(phase) => write!(f, "already held, {phase}"),
            Outcome::Leased {
                task,
                attempt,
                token,
                deadline,
            } => {
                write!(
                    f,
                    "{task}, attempt {attempt}, token {token}, deadline {deadline}"
                )
            }
            Outcome::Live => write!(f, "live"),
            Outcome::Extended { deadline } => write!(f, "ok, deadline {deadline}"),
            Outcome::Completed { task } => write!(f, "ok, {task} leaves"),
            Outcome::Retrying { visible_at } => write!(f, "Retrying, visible at {visible_at}"),
            Outcome::DeadLettered => write!(f, "DeadLettered"),
            Outcome::Dropped => write!(f, "Dropped"),
            Outcome::DeadLetters(list) if list.is_empty() => write!(f, "no dead letters"),
            Outcome::DeadLetters(list) => {
                for (index, DeadLine { task, attempts, at }) in list.iter().enumerate() {
                    let comma = if index == 0 { "" } else { "; " };
                    write!(
                        f,
                        "{comma}{task}, {attempts} {}, at {at}",
                        plural(u64::from(attempts.0), "attempt")
                    )?;
                }
                Ok(())
            }
            Outcome::Redriven(count) => write!(f, "{count} redriven"),
            Outcome::Depth(Depth {
                visible,
                delayed,
                leased,
                dead,
            }) => {
                write!(
                    f,
                    "{visible} visible, {delayed} delayed, {leased} leased, {dead} dead"
                )
            }
            Outcome::Reopened => write!(f, "open again"),
            Outcome::Waiting => write!(f, "waits"),
            Outcome::Done => write!(f, "from now on"),
            Outcome::NoTask => write!(f, "NoTask"),
            Outcome::LeaseLost => write!(f, "LeaseLost"),
            Outcome::NotFound => write!(f, "NotFound"),
            Outcome::Refused(why) => write!(f, "refused: {why}"),
        }
    }
}

/// `attempt` or `attempts`.
pub(crate) fn plural(count: u64, word: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    alloc::format!("{word}{s}")
}
