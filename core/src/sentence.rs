//! The sentence: what one call did and why, in words that stand for the picture.
//!
//! It knows the call, its answer and the queue before and after it. It deliberately knows no rule: the
//! reasons are read off the refusal and the two pictures.

use crate::call::{Answer, Call, DeadLine, Outcome, plural};
use crate::picture::{Picture, TaskPicture};
use crate::refusal::{Lost, Refusal};
use crate::scenario::Planned;
use crate::state::LEASE_EXPIRED;
use crate::task::{Phase, TaskId, Token};
use crate::time::{Secs, Timestamp};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde::Serialize;

/// What happened, in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Sentence {
    /// Who said what when: `At 45 s worker 2 calls Complete(a, token 3)`.
    pub said: String,
    /// What the queue answered, in a table's words.
    pub answer: String,
    /// One or two words for it: `Fenced`.
    pub headline: String,
    /// Why, by the rules.
    pub why: String,
    /// True if the call was refused.
    pub refused: bool,
}

/// The queue around one call.
#[derive(Clone, Copy, Debug)]
pub struct Around<'a> {
    /// Just before it, at the same instant.
    pub before: &'a Picture,
    /// Just after it.
    pub after: &'a Picture,
    /// When the lease that the call shows expired, if it did.
    pub expired: Option<Timestamp>,
}

/// Tells one call.
pub fn tell(planned: &Planned, answer: &Answer, around: Around<'_>) -> Sentence {
    let (headline, why) = explain(&planned.call, answer, around);
    Sentence {
        said: format!(
            "At {} s {} calls {}",
            around.after.at, planned.by, planned.call
        ),
        answer: answer.outcome.to_string(),
        headline: String::from(headline),
        why,
        refused: answer.outcome.is_refusal(),
    }
}

fn explain(call: &Call, answer: &Answer, around: Around<'_>) -> (&'static str, String) {
    match (&answer.outcome, &answer.refusal) {
        (
            Outcome::Leased {
                task,
                deadline,
                token,
                ..
            },
            _,
        ) => ("Leased", leased(task, *token, *deadline, around)),
        (Outcome::NoTask, _) => ("Nothing visible", nothing_visible(around.after)),
        (Outcome::LeaseLost, Some(Refusal::LeaseLost { task, token, why })) => {
            fenced(task, *token, *why, around.expired)
        }
        (Outcome::Retrying { visible_at }, _) => ("Retrying", retrying(call, *visible_at, around)),
        (Outcome::DeadLettered, _) => ("Dead letter", dead_lettered(call, around.after)),
        (Outcome::Extended { deadline }, _) => ("Extended", extended(call, *deadline, around)),
        (Outcome::DeadLetters(list), _) => ("Dead letters", dead_letters(list)),
        (outcome, refusal) => plain(call, outcome, refusal.as_ref()),
    }
}

fn leased(task: &TaskId, token: Token, deadline: Timestamp, around: Around<'_>) -> String {
    let reason = around
        .before
        .task(task)
        .map_or_else(String::new, why_visible);
    let attempt = around.after.task(task).map_or_else(String::new, |held| {
        format!("this is attempt {} of {}", held.attempt, held.max_attempts)
    });
    format!("{reason}Token {token} owns task {task} until {deadline} s; {attempt}.")
}

fn why_visible(held: &TaskPicture) -> String {
    let TaskPicture {
        id,
        since,
        attempt,
        last_error,
        ..
    } = held;
    match (attempt.0, last_error.as_str()) {
        (0, _) => format!("Task {id} was first in line, visible since {since} s. "),
        (_, LEASE_EXPIRED) => {
            format!(
                "The lease of attempt {attempt} ended at {since} s without an answer, so its worker is presumed dead. "
            )
        }
        _ => format!("The retry of task {id} came due at {since} s. "),
    }
}

fn nothing_visible(now: &Picture) -> String {
    let reasons: Vec<String> = now.tasks.iter().take(REASONS_MAX).map(why_hidden).collect();
    let more = match now.tasks.len().saturating_sub(REASONS_MAX) {
        0 => String::new(),
        count => format!(" {count} more are hidden too."),
    };
    if reasons.is_empty() {
        String::from("The queue holds no task.")
    } else {
        format!("{}{more}", reasons.join(" "))
    }
}

/// How many hidden tasks a sentence names.
const REASONS_MAX: usize = 3;

fn why_hidden(held: &TaskPicture) -> String {
    let TaskPicture {
        id,
        phase,
        since,
        attempt,
        max_attempts,
        lease,
        visible_at,
        last_error,
        ..
    } = held;
    match (phase, lease, visible_at) {
        (Phase::Delayed, _, Some(visible_at)) => {
            format!("Task {id} is hidden until its retry at {visible_at} s.")
        }
        (Phase::Leased, Some(lease), _) => {
            format!(
                "Task {id} is leased to {} until {} s.",
                lease.worker, lease.deadline
            )
        }
        (Phase::Dead, ..) if last_error == LEASE_EXPIRED => {
            format!(
                "The lease of attempt {attempt} of {max_attempts} ended at {since} s without an answer: task {id} is a dead letter since then."
            )
        }
        (Phase::Dead, ..) => format!("Task {id} is a dead letter since {since} s."),
        _ => format!("Task {id} is {phase}."),
    }
}

fn fenced(
    task: &TaskId,
    token: Token,
    why: Lost,
    expired: Option<Timestamp>,
) -> (&'static str, String) {
    let over = expired.map_or_else(String::new, |at| {
        format!("Token {token} was over at {at} s: a lease ends at its deadline, not after it. ")
    });
    let text = match why {
        Lost::Replaced { by, at } => format!(
            "{over}Token {by} owns task {task} since {at} s, so the late answer changes nothing."
        ),
        Lost::Over { .. } => format!("{over}The late answer changes nothing."),
        Lost::GivenUp { phase } => {
            format!(
                "The lease of token {token} was given up before; task {task} is {phase}. Nothing changes."
            )
        }
        Lost::Gone => format!(
            "The queue does not hold task {task}: it was acknowledged, dropped, or never enqueued."
        ),
    };
    ("Fenced", text)
}

fn retrying(call: &Call, visible_at: Timestamp, around: Around<'_>) -> String {
    let delay = match call {
        Call::Fail { retry_after, .. } => format!("{} s", Secs(*retry_after)),
        _ => String::from("its delay"),
    };
    let attempts = call
        .task()
        .and_then(|task| around.after.task(task))
        .map_or_else(String::new, |held| {
            format!(
                "Attempt {} of {} failed, so there is another. ",
                held.attempt, held.max_attempts
            )
        });
    format!("{attempts}The task is hidden for {delay}, until {visible_at} s.")
}

fn dead_lettered(call: &Call, after: &Picture) -> String {
    call.task().and_then(|task| after.task(task)).map_or_else(String::new, |held| {
        let TaskPicture { id, attempt, max_attempts, .. } = held;
        format!("Attempt {attempt} of {max_attempts} was the last: task {id} is parked until an operator redrives it.")
    })
}

fn extended(call: &Call, deadline: Timestamp, around: Around<'_>) -> String {
    let before = call
        .task()
        .and_then(|task| around.before.task(task))
        .and_then(|held| held.lease.as_ref());
    let from = before.map_or_else(String::new, |lease| format!("from {} s ", lease.deadline));
    format!("The deadline moves {from}to {deadline} s, one visibility timeout from now.")
}

fn dead_letters(list: &[DeadLine]) -> String {
    let count = list.len();
    let dead = list
        .first()
        .map_or_else(String::new, |DeadLine { task, attempts, at }| {
            let times = plural(u64::from(attempts.0), "time");
            format!(" Task {task} was delivered {attempts} {times} and died at {at} s.")
        });
    format!(
        "{count} {} in enqueue order.{dead}",
        plural(count as u64, "dead letter")
    )
}

fn plain(call: &Call, outcome: &Outcome, refusal: Option<&Refusal>) -> (&'static str, String) {
    let task = call.task().map_or("", |task| task.as_str());
    match outcome {
        Outcome::Added => ("Enqueued", format!("Task {task} is visible from now on.")),
        Outcome::AlreadyHeld(phase) => (
            "Already held",
            format!("Task {task} is {phase}; it is left as it is."),
        ),
        Outcome::Completed { .. } => (
            "Completed",
            format!("Its lease was live, so task {task} leaves and its id is free again."),
        ),
        Outcome::Dropped => (
            "Dropped",
            format!("No retry can help, so task {task} leaves now."),
        ),
        Outcome::Live => (
            "Live",
            format!("The lease is the newest of task {task}, and its deadline is ahead."),
        ),
        Outcome::Redriven(0) => (
            "Nothing to redrive",
            String::from("There are no dead letters."),
        ),
        Outcome::Redriven(_) => (
            "Redriven",
            String::from("Visible now, and the attempts count from 1 again."),
        ),
        Outcome::Depth(_) => (
            "Depth",
            String::from("Counted by phase; a task that waits for its retry is delayed."),
        ),
        Outcome::Reopened => (
            "Open again",
            String::from("Everything was rebuilt from the log, and tokens go on rising."),
        ),
        Outcome::Waiting => (
            "Waits",
            String::from("Nothing is visible, so the poll waits for a task until its end."),
        ),
        Outcome::Done => (
            "The log",
            String::from("It stays so until it is said otherwise."),
        ),
        _ => (
            "Refused",
            refusal.map_or_else(String::new, ToString::to_string),
        ),
    }
}
