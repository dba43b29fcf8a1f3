//! A scenario as a test in JavaScript, for a queue that somebody else writes.
//!
//! It knows the chapter's interface in JavaScript's names, and what of a scenario that interface cannot
//! say: a crash, a failing log, a poll that waits. It deliberately knows nobody's queue.

mod frame;

use self::frame::{HEADING, HELPERS};
use super::text::{js_comment, js_string};
use super::{Played, call_words, play};
use crate::call::{Call, Outcome};
use crate::scenario::Scenario;
use crate::state::LEASE_EXPIRED;
use crate::task::{DeadLetter, Depth, Lease, TaskId};
use crate::time::{Timestamp, millis_up};
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

/// The largest whole number that JavaScript has exactly. No queue hands out a token as large.
const SAFE_INTEGER_MAX: u64 = (1 << 53) - 1;

/// A scenario cannot be a test in JavaScript: what would be left out decides what comes after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CannotExport {
    /// A poll waited, and was given a task.
    WaitingPollServed {
        /// Whose poll it was.
        by: String,
        /// When it began to wait.
        from: Timestamp,
        /// When it was given the task.
        at: Timestamp,
        /// The task.
        task: TaskId,
    },
    /// The clock went back after a crash, of which an opened queue need not know.
    ClockWentBack {
        /// The latest instant before.
        from: Timestamp,
        /// The instant it went back to.
        to: Timestamp,
    },
}

impl fmt::Display for CannotExport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CannotExport::WaitingPollServed { by, from, at, task } => write!(
                f,
                "in a JavaScript test no poll can wait, for its clock only tells the time: the poll of {by:?} at \
                 {from} s waited and was given {:?} at {at} s; make it a plain poll at {at} s",
                task.as_str(),
            ),
            CannotExport::ClockWentBack { from, to } => write!(
                f,
                "in a JavaScript test the clock never goes back after a crash: here it goes from {from} s to {to} s; \
                 put the rows in the order of their times"
            ),
        }
    }
}

impl core::error::Error for CannotExport {}

/// The scenario as a file for `node --test`. What the interface cannot say is left as a comment where that
/// changes nothing that follows, and refused where it does.
pub fn javascript_test(scenario: &Scenario) -> Result<String, CannotExport> {
    let played = play(scenario);
    can_be_said(&played)?;
    let defaults = scenario.options().resolved();
    let mut file = heading(scenario);
    file.push_str(&format!(
        "test({}, async () => {{\n  \
         const clock = {{ time: 0, now: () => clock.time }};\n  \
         const queue = await open({{ visibility: {}, maxAttempts: {}, clock }});\n",
        js_string(&scenario.title),
        millis_up(defaults.visibility),
        defaults.max_attempts,
    ));
    let mut now = Timestamp::ZERO;
    for one in &played {
        // A queue's now is the latest it was told, so a clock that goes back stands still.
        if one.at > now {
            now = one.at;
            file.push_str(&format!(
                "\n  // {now} s\n  clock.time = {};\n",
                now.as_millis()
            ));
        }
        file.push_str(&statement(scenario, one));
    }
    file.push_str("});\n");
    file.push_str(HELPERS);
    Ok(file)
}

/// Refuses what cannot be left out: a waiting poll that took a task, and a clock that a crash set back.
fn can_be_said(played: &[Played<'_>]) -> Result<(), CannotExport> {
    let mut began: BTreeMap<&str, Timestamp> = BTreeMap::new();
    let (mut latest, mut crashed) = (Timestamp::ZERO, false);
    for one in played {
        for told in &one.served {
            if let Some(lease) = &told.answer.lease {
                return Err(CannotExport::WaitingPollServed {
                    by: told.by.clone(),
                    from: began.get(&*told.by).copied().unwrap_or_default(),
                    at: told.at,
                    task: lease.task.id.clone(),
                });
            }
        }
        if crashed && one.at < latest {
            return Err(CannotExport::ClockWentBack {
                from: latest,
                to: one.at,
            });
        }
        latest = latest.max(one.at);
        crashed |= one.planned.call == Call::Reopen;
        if one.answer.outcome == Outcome::Waiting && one.planned.call != Call::PollReturns {
            began.insert(&one.planned.by, latest);
        }
    }
    Ok(())
}

fn heading(scenario: &Scenario) -> String {
    let source = if scenario.source.is_empty() {
        "not named".into()
    } else {
        js_comment(&scenario.source)
    };
    format!(
        "// {}\n// Source: {source}. A scenario of Fencepost as a test of your own queue.\n{HEADING}",
        js_comment(&scenario.title),
    )
}

/// One call with what is asserted of it, under a comment in a table's words.
fn statement(scenario: &Scenario, one: &Played<'_>) -> String {
    let words = js_comment(&format!(
        "{}, {}: {}",
        one.planned.by,
        call_words(scenario, one.planned),
        one.answer.outcome
    ));
    match written_call(one).and_then(|call| asserted(&call, one)) {
        Some(statement) => format!("  // {words}\n  {statement};\n"),
        None => format!("  // not in this API: {words}\n"),
    }
}

/// The call's outcome as an assertion; `None` if the interface has no such outcome.
fn asserted(call: &str, one: &Played<'_>) -> Option<String> {
    let equal = |to: &str| format!("assert.equal(await {call}, {to})");
    Some(match &one.answer.outcome {
        Outcome::Added | Outcome::AlreadyHeld(_) | Outcome::Live | Outcome::Completed { .. } => {
            format!("await {call}")
        }
        Outcome::Leased { .. } | Outcome::Extended { .. } => {
            let lease = one.answer.lease.as_ref()?;
            format!("sameLease(await {call}, {})", expected_lease(lease))
        }
        Outcome::Retrying { .. } => equal("\"Retrying\""),
        Outcome::DeadLettered => equal("\"DeadLettered\""),
        Outcome::Dropped => equal("\"Dropped\""),
        Outcome::Redriven(count) => equal(&count.to_string()),
        Outcome::DeadLetters(_) => {
            let letters: Vec<String> = one.answer.dead.iter().map(expected_letter).collect();
            format!("sameLetters(await {call}, [{}])", letters.join(", "))
        }
        Outcome::Depth(Depth {
            visible,
            leased,
            dead,
            ..
        }) => format!(
            "sameDepth(await {call}, {{ visible: {visible}, leased: {leased}, dead: {dead} }})"
        ),
        Outcome::NoTask => format!("await refused(\"NoTask\", () => {call})"),
        Outcome::LeaseLost => format!("await refused(\"LeaseLost\", () => {call})"),
        Outcome::NotFound => format!("await refused(\"NotFound\", () => {call})"),
        Outcome::Reopened | Outcome::Waiting | Outcome::Done | Outcome::Refused(_) => return None,
    })
}

/// The call as JavaScript writes it; `None` if the interface has none.
fn written_call(one: &Played<'_>) -> Option<String> {
    let (name, by) = (js_string(one.queue.as_str()), js_string(&one.planned.by));
    let call = &one.planned.call;
    if let Some((task, token)) = call.lease() {
        let token = token.0.min(SAFE_INTEGER_MAX);
        let lease = format!("leaseOf({name}, {}, {token})", js_string(task.as_str()));
        return written_answer(call, &lease);
    }
    Some(match call {
        Call::Enqueue {
            task,
            payload,
            max_attempts,
            visibility,
        } => {
            let mut fields = format!("id: {}", js_string(task.as_str()));
            if !payload.is_empty() {
                fields.push_str(&format!(", payload: {}", js_string(payload)));
            }
            if *max_attempts > 0 {
                fields.push_str(&format!(", maxAttempts: {max_attempts}"));
            }
            if !visibility.is_zero() {
                fields.push_str(&format!(", visibility: {}", millis_up(*visibility)));
            }
            format!("queue.enqueue({name}, {{ {fields} }})")
        }
        Call::Poll => format!("queue.poll({name}, {by}, 0)"),
        Call::LongPoll { wait } => format!("queue.poll({name}, {by}, {})", millis_up(*wait)),
        Call::DeadLetters => format!("queue.dlq({name})"),
        Call::Redrive { tasks } => {
            let ids = tasks.iter().map(|task| js_string(task.as_str()));
            let arguments: Vec<String> = core::iter::once(name).chain(ids).collect();
            format!("queue.redrive({})", arguments.join(", "))
        }
        Call::Depth => format!("queue.depth({name})"),
        _ => return None,
    })
}

/// A call that shows a lease.
fn written_answer(call: &Call, lease: &str) -> Option<String> {
    Some(match call {
        Call::Check { .. } => format!("queue.check({lease})"),
        Call::Heartbeat { details, .. } if details.is_empty() => {
            format!("queue.heartbeat({lease})")
        }
        Call::Heartbeat { details, .. } => {
            format!("queue.heartbeat({lease}, {})", js_string(details))
        }
        Call::Complete { .. } => format!("queue.complete({lease})"),
        Call::Fail {
            error,
            non_retryable,
            retry_after,
            ..
        } => {
            let how = if *non_retryable {
                "nonRetryable: true".into()
            } else {
                format!("retryAfter: {}", millis_up(*retry_after))
            };
            format!(
                "queue.fail({lease}, {{ message: {}, {how} }})",
                js_string(error)
            )
        }
        _ => return None,
    })
}

fn expected_lease(lease: &Lease) -> String {
    let mut fields = format!(
        "task: {}, attempt: {}, token: {}, deadline: {}",
        js_string(lease.task.id.as_str()),
        lease.attempt,
        lease.token,
        lease.deadline.as_millis(),
    );
    for (field, bytes) in [
        ("payload", &lease.task.payload),
        ("details", &lease.details),
    ] {
        // A scenario's payloads and details are text.
        if let Some(text) = core::str::from_utf8(bytes)
            .ok()
            .filter(|text| !text.is_empty())
        {
            fields.push_str(&format!(", {field}: {}", js_string(text)));
        }
    }
    format!("{{ {fields} }}")
}

/// The last error is asserted only where a worker gave one: the chapter has no words for an expiry.
fn expected_letter(dead: &DeadLetter) -> String {
    let mut fields = format!(
        "task: {}, attempts: {}, at: {}",
        js_string(dead.task.id.as_str()),
        dead.attempts,
        dead.at.as_millis(),
    );
    if dead.last_error != LEASE_EXPIRED {
        fields.push_str(&format!(", lastError: {}", js_string(&dead.last_error)));
    }
    format!("{{ {fields} }}")
}
