//! Lockstep: the chapter's rules and a planted bug play one schedule side by side, up to the first call
//! after which they differ, and say why in one sentence.
//!
//! It knows two answers and two pictures. It deliberately knows no rule: the reason is read off the
//! chapter's own refusal.

use crate::bench::Told;
use crate::bugs::Bug;
use crate::call::{Answer, Call, Outcome};
use crate::oracle::same_to_see;
use crate::picture::{Picture, TaskPicture};
use crate::refusal::{Lost, Refusal};
use crate::rules::Chapter;
use crate::scenario::{Planned, Scenario};
use crate::sim::{steps, watch};
use crate::task::{Phase, QueueName};
use crate::time::Timestamp;
use crate::watched::Watched;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Where a bug first shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parting {
    /// The row, 0 for the set-up.
    pub row: usize,
    /// The queue's now.
    pub at: Timestamp,
    /// What the bug did and what the chapter did, and why.
    pub sentence: String,
}

/// One side of the two.
struct Side {
    answer: Answer,
    served: Vec<Told>,
    pictures: Vec<Picture>,
}

/// Plays the schedule by both rules until they differ. `None` if they never do.
pub fn first_difference(scenario: &Scenario, bug: &Bug) -> Option<Parting> {
    let mut chapter = watch(scenario, Chapter);
    let mut wrong = watch(scenario, bug.rules);
    let mut queues = scenario.other_queues();
    queues.insert(0, scenario.queue.clone());
    for (row, at, planned) in steps(scenario) {
        let queue = planned.queue.as_ref().unwrap_or(&scenario.queue);
        let right = side(&mut chapter, at, planned, queue, &queues);
        let other = side(&mut wrong, at, planned, queue, &queues);
        if let Some(what) = difference(planned, &right, &other) {
            let at = right.pictures.first().map_or(at, |picture| picture.at);
            let sentence = format!("at {at} s {what}");
            return Some(Parting { row, at, sentence });
        }
    }
    None
}

fn side<R: crate::rules::Rules + Clone>(
    watched: &mut Watched<R>,
    at: Timestamp,
    planned: &Planned,
    queue: &QueueName,
    queues: &[QueueName],
) -> Side {
    let came = watched.call(at, &planned.by, queue, &planned.call);
    let pictures = queues.iter().map(|name| watched.bench.picture_of(name, at));
    Side {
        answer: came.answer,
        pictures: pictures.collect(),
        served: came.served,
    }
}

fn difference(planned: &Planned, right: &Side, wrong: &Side) -> Option<String> {
    if right.answer.outcome != wrong.answer.outcome {
        return Some(answers_differ(planned, &right.answer, &wrong.answer));
    }
    if right.served != wrong.served {
        return Some(served_differ(&right.served, &wrong.served));
    }
    let pairs = right.pictures.iter().zip(&wrong.pictures);
    let differing = |(right, wrong): &(&Picture, &Picture)| !same_to_see(right, wrong);
    let (right, wrong) = pairs.into_iter().find(differing)?;
    Some(pictures_differ(&planned.call, right, wrong))
}

fn answers_differ(planned: &Planned, right: &Answer, wrong: &Answer) -> String {
    let (by, call) = (&planned.by, &planned.call);
    match (&right.refusal, acts(call)) {
        (Some(Refusal::LeaseLost { token, why, .. }), Some(verb))
            if wrong.outcome != Outcome::LeaseLost =>
        {
            let why = reason(*token, *why);
            format!("the bug still lets {by} {verb}; the chapter refused, {why}")
        }
        (None, Some(verb)) if wrong.refusal.is_some() => {
            format!(
                "the bug does not let {by} {verb}; the chapter answers {}",
                right.outcome
            )
        }
        _ => format!(
            "the bug answers {by}'s {call} with {}; the chapter answers {}",
            wrong.outcome, right.outcome
        ),
    }
}

/// What a call that shows a lease does, as a verb.
fn acts(call: &Call) -> Option<String> {
    let verb = match call {
        Call::Check { .. } => "act on",
        Call::Heartbeat { .. } => "extend",
        Call::Complete { .. } => "complete",
        Call::Fail { .. } => "fail",
        _ => return None,
    };
    call.task().map(|task| format!("{verb} task {task}"))
}

fn reason(token: crate::task::Token, why: Lost) -> String {
    match why {
        Lost::Over { deadline } => format!("token {token}'s lease was over at {deadline} s"),
        Lost::Replaced { by, at } => format!("token {by} owns the task since {at} s"),
        Lost::GivenUp { phase } => {
            format!("token {token}'s lease was given up and the task is {phase}")
        }
        Lost::Gone => String::from("the task had left"),
    }
}

fn served_differ(right: &[Told], wrong: &[Told]) -> String {
    let told = |told: &Told| format!("{} at {} s", told.answer.outcome, told.at);
    let first = right
        .iter()
        .zip(wrong)
        .position(|(right, wrong)| right != wrong);
    let place = first.unwrap_or(right.len().min(wrong.len()));
    match (right.get(place), wrong.get(place)) {
        (Some(right), None) => format!(
            "the bug leaves {} waiting; the chapter told it {}",
            right.by,
            told(right)
        ),
        (None, Some(wrong)) => format!(
            "the bug told {} {}; by the chapter it waits",
            wrong.by,
            told(wrong)
        ),
        (Some(right), Some(wrong)) => format!(
            "the bug told {} {}; the chapter told {} {}",
            wrong.by,
            told(wrong),
            right.by,
            told(right)
        ),
        (None, None) => String::from("the bug served others"),
    }
}

fn pictures_differ(call: &Call, right: &Picture, wrong: &Picture) -> String {
    let ids = right.tasks.iter().chain(&wrong.tasks).map(|task| &task.id);
    for id in ids {
        let (by_chapter, by_bug) = (right.task(id), wrong.task(id));
        if by_chapter != by_bug {
            return format!(
                "after {call} task {id} is {} with the bug; by the chapter it is {}",
                state(by_bug),
                state(by_chapter)
            );
        }
    }
    let wake = |picture: &Picture| crate::wake::in_words(picture.wake.as_ref());
    format!(
        "after {call} the bug wakes at {}; the chapter at {}",
        wake(wrong),
        wake(right)
    )
}

fn state(task: Option<&TaskPicture>) -> String {
    let Some(task) = task else {
        return String::from("gone");
    };
    let mut text = match (task.phase, &task.lease, task.visible_at) {
        (Phase::Leased, Some(lease), _) => {
            format!(
                "leased with token {} until {} s",
                lease.token, lease.deadline
            )
        }
        (Phase::Delayed, _, Some(until)) => format!("delayed until {until} s"),
        (phase, ..) => format!("{} since {} s", phase, task.since),
    };
    text.push_str(&format!(", attempt {}", task.attempt));
    if !task.details.is_empty() {
        text.push_str(&format!(", details {:?}", task.details));
    }
    text
}
