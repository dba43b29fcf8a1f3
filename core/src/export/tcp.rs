//! A scenario as lines on TCP connections: what each caller sends, and what the server answers.
//!
//! It knows the line protocol's three verbs and its fence: an ACK names no token, so it stands for the
//! lease that was handed out on its connection. It deliberately opens no connection.

use super::text::{one_line, secs};
use super::{bench_for, call_words, play, queue_of};
use crate::bench::Bench;
use crate::call::{Answer, Call, Outcome};
use crate::rules::Chapter;
use crate::scenario::{Planned, Scenario};
use crate::task::{QueueName, TaskId, Token};
use crate::time::Timestamp;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};

/// The scenario as a transcript, one connection a caller: `0 s  worker 1 > DEQ`, `0 s  worker 1 < TASK a`.
/// A call that ENQ, DEQ and ACK cannot say is a line that begins with `#`, and happens all the same.
/// Where an ACK's fence decides otherwise than the table's token, the server's answer stands, and
/// everything after it follows from it.
pub fn tcp_transcript(scenario: &Scenario) -> String {
    let mut wire = Wire {
        scenario,
        bench: bench_for(scenario),
        holders: BTreeMap::new(),
    };
    let mut text = heading(scenario);
    for played in play(scenario) {
        let (at, planned) = (played.at, played.planned);
        let answer = wire.call(at, planned);
        text.push_str(&wire.lines(at, planned, &answer.outcome));
        if answer.outcome != played.answer.outcome {
            text.push_str(&format!(
                "# in the table: {}\n",
                one_line(&played.answer.outcome.to_string())
            ));
        }
        if planned.call == Call::Reopen {
            text.push_str("# every connection was cut, and is a new one from here on\n");
        }
    }
    text
}

/// A server's queue, and who was handed what.
struct Wire<'s> {
    scenario: &'s Scenario,
    bench: Bench<Chapter>,
    /// Each task's newest lease, and the caller on whose connection it was handed out. Only of the queue
    /// that the connections serve.
    holders: BTreeMap<TaskId, (Token, String)>,
}

impl Wire<'_> {
    /// Carries a call out as the server does: an ACK by its connection, everything else as it is written.
    fn call(&mut self, at: Timestamp, planned: &Planned) -> Answer {
        self.bench.pass_time(at);
        self.note_served();
        let queue = queue_of(self.scenario, planned);
        let fenced = match &planned.call {
            Call::Complete { task, .. } if is_said(self.scenario, planned) => {
                let newest = self.holders.get(task);
                let own = newest.filter(|(_, by)| *by == planned.by);
                Some(Call::Complete {
                    task: task.clone(),
                    // No lease has token 0: the queue refuses it.
                    token: own.map_or(Token(0), |(token, _)| *token),
                })
            }
            _ => None,
        };
        let call = fenced.as_ref().unwrap_or(&planned.call);
        let answer = call.carry_out_in(&mut self.bench, queue, at, &planned.by);
        let polled = matches!(planned.call, Call::Poll | Call::LongPoll { .. });
        self.note(queue, &planned.by, polled.then_some(&answer));
        self.note_served();
        if planned.call == Call::Reopen {
            // The leases live on, but the connections that they were handed out on do not.
            self.holders.clear();
        }
        answer
    }

    fn note_served(&mut self) {
        for told in self.bench.take_served() {
            self.note(&told.queue, &told.by, Some(&told.answer));
        }
    }

    fn note(&mut self, queue: &QueueName, by: &str, polled: Option<&Answer>) {
        let lease = polled.and_then(|answer| answer.lease.as_ref());
        if let Some(lease) = lease.filter(|_| *queue == self.scenario.queue) {
            let newest = (lease.token, String::from(by));
            self.holders.insert(lease.task.id.clone(), newest);
        }
    }

    /// What the caller sends and what it hears, or a comment.
    fn lines(&self, at: Timestamp, planned: &Planned, outcome: &Outcome) -> String {
        let by = one_line(&planned.by);
        let said =
            |ask: String, told: String| format!("{at} s  {by} > {ask}\n{at} s  {by} < {told}\n");
        let is_said = is_said(self.scenario, planned);
        match (&planned.call, outcome) {
            (Call::Enqueue { task, .. }, _) if is_said => {
                said(format!("ENQ {task}"), ok_or_err(outcome))
            }
            (Call::Complete { task, .. }, Outcome::Completed { .. }) if is_said => {
                said(format!("ACK {task}"), "OK".into())
            }
            (Call::Complete { task, .. }, _) if is_said => {
                said(format!("ACK {task}"), "NOACK".into())
            }
            (Call::Poll, Outcome::Leased { task, .. }) if is_said && fits_a_line(task) => {
                said("DEQ".into(), format!("TASK {task}"))
            }
            (Call::Poll, Outcome::NoTask) if is_said => said("DEQ".into(), "EMPTY".into()),
            (Call::Poll, Outcome::Refused(_)) if is_said => said("DEQ".into(), ok_or_err(outcome)),
            _ => format!(
                "# {at} s  {by}, {}: {}\n",
                one_line(&call_words(self.scenario, planned)),
                one_line(&outcome.to_string())
            ),
        }
    }
}

fn heading(scenario: &Scenario) -> String {
    let defaults = scenario.options().resolved();
    format!(
        "# {}\n\
         # Queue {}, visibility {} s, max attempts {}. One connection a caller.\n\
         # A line that begins with # is a call that ENQ, DEQ and ACK cannot say; it happened too.\n",
        one_line(&scenario.title),
        one_line(scenario.queue.as_str()),
        secs(defaults.visibility),
        defaults.max_attempts,
    )
}

/// Whether the three verbs can say the call: it goes to the queue that the connections serve, its id fits
/// a line, and an enqueue has nothing but its id.
fn is_said(scenario: &Scenario, planned: &Planned) -> bool {
    let says = match &planned.call {
        Call::Poll => true,
        Call::Complete { task, .. } => fits_a_line(task),
        Call::Enqueue {
            task,
            payload,
            max_attempts: 0,
            visibility,
        } => payload.is_empty() && visibility.is_zero() && fits_a_line(task),
        _ => false,
    };
    says && *queue_of(scenario, planned) == scenario.queue
}

/// On the wire an id has no white space and no control characters.
fn fits_a_line(task: &TaskId) -> bool {
    !task
        .as_str()
        .contains(|c: char| c.is_whitespace() || c.is_control())
}

fn ok_or_err(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Refused(why) => format!("ERR {}", one_line(why)),
        _ => "OK".into(),
    }
}
