//! Plainer drafts: what else can be made smaller once no call can be left out.
//!
//! It knows which names, numbers and times read best. It deliberately does not play them.

use super::draft::Draft;
use crate::call::Call;
use crate::task::{TaskId, Token};
use crate::time::{Timestamp, millis_up};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::time::Duration;

/// The length of a lease in the chapter's worked example.
const VISIBILITY: Duration = Duration::from_secs(30);

/// Every plainer draft worth trying, with what was done.
pub(super) fn all(draft: &Draft) -> Vec<(String, Draft)> {
    let mut all = options(draft);
    all.extend(calls(draft));
    all.extend(names(draft));
    all.extend(times(draft));
    all
}

fn options(draft: &Draft) -> Vec<(String, Draft)> {
    let mut all = Vec::new();
    if draft.options.visibility != VISIBILITY {
        // The schedule as it was, and stretched as the lease is.
        let (from, to) = (
            millis_up(draft.options.visibility).max(1),
            millis_up(VISIBILITY),
        );
        for stretches in [true, false] {
            let mut other = draft.clone();
            other.options.visibility = VISIBILITY;
            if stretches {
                other.moves.iter_mut().for_each(|step| {
                    let at = step.at.as_millis().saturating_mul(to) / from;
                    step.at = Timestamp::from_millis(at);
                });
            }
            all.push((String::from("leases of 30 s"), other));
        }
    }
    for max_attempts in 1..draft.options.max_attempts {
        let mut other = draft.clone();
        other.options.max_attempts = max_attempts;
        all.push((format!("at most {max_attempts} attempts"), other));
    }
    all
}

/// Each call in plainer forms of itself.
fn calls(draft: &Draft) -> Vec<(String, Draft)> {
    let mut all = at_other_times(draft);
    let mut waits: Option<&String> = None;
    for (index, step) in draft.moves.iter().enumerate() {
        match (&step.call, waits) {
            (Call::LongPoll { .. }, _) => waits = Some(&step.by),
            (Call::PollReturns, Some(by)) if step.by != *by => {
                let mut other = draft.clone();
                other.moves[index].by.clone_from(by);
                all.push((format!("{by} hears of its own poll"), other));
            }
            _ => {}
        }
        for call in plainer_calls(&step.call) {
            let mut other = draft.clone();
            let (plain, was) = (format!("{call}"), format!("{}", step.call));
            let did = if plain == was {
                format!("a plainer {plain}")
            } else {
                format!("{plain} in place of {was}")
            };
            if call.lease().is_none() {
                other.moves[index].lease_of = None;
            }
            other.moves[index].call = call;
            all.push((did, other));
        }
    }
    all
}

/// Calls that can be plainer only at other instants: a task with its own visibility is one with the
/// default if the schedule stretches as its lease does, and a poll that waits is one that comes later.
fn at_other_times(draft: &Draft) -> Vec<(String, Draft)> {
    let mut all = Vec::new();
    for (index, step) in draft.moves.iter().enumerate() {
        match &step.call {
            Call::Enqueue {
                task, visibility, ..
            } if !visibility.is_zero() => {
                let mut other = stretched(draft, *visibility, draft.options.visibility);
                let plain = plainer_calls(&step.call).swap_remove(0);
                other.moves[index].call = plain;
                all.push((format!("task {task} with the default lease"), other));
            }
            Call::LongPoll { .. } => {
                let mut other = draft.clone();
                let next = draft.moves.get(index + 1).map_or(step.at, |next| next.at);
                (other.moves[index].call, other.moves[index].at) = (Call::Poll, next);
                all.push((format!("a poll at {next} s that does not wait"), other));
            }
            _ => {}
        }
    }
    all
}

fn stretched(draft: &Draft, from: Duration, to: Duration) -> Draft {
    let (from, to) = (millis_up(from).max(1), millis_up(to));
    let mut other = draft.clone();
    for step in &mut other.moves {
        step.at = Timestamp::from_millis(step.at.as_millis().saturating_mul(to) / from);
    }
    other
}

fn plainer_calls(call: &Call) -> Vec<Call> {
    let short = [
        Duration::ZERO,
        Duration::from_secs(30),
        Duration::from_secs(10),
        Duration::from_secs(5),
    ];
    match call.clone() {
        Call::Enqueue { task, .. } => alloc::vec![Call::Enqueue {
            task,
            payload: String::new(),
            max_attempts: 0,
            visibility: Duration::ZERO,
        }],
        Call::LongPoll { .. } => {
            let waits = short[1..].iter().map(|wait| Call::LongPoll { wait: *wait });
            core::iter::once(Call::Poll).chain(waits).collect()
        }
        Call::Heartbeat {
            task,
            token,
            details,
        } => {
            let plain = Call::Heartbeat {
                task: task.clone(),
                token,
                details: String::new(),
            };
            let half = Call::Heartbeat {
                task: task.clone(),
                token,
                details: String::from("half"),
            };
            let check = Call::Check { task, token };
            if details == "half" {
                alloc::vec![check, plain]
            } else {
                alloc::vec![check, plain, half]
            }
        }
        Call::Complete { task, token } => alloc::vec![Call::Check { task, token }],
        Call::Fail {
            task,
            token,
            non_retryable,
            ..
        } => {
            let fail = |non_retryable, retry_after| Call::Fail {
                task: task.clone(),
                token,
                error: String::new(),
                non_retryable,
                retry_after,
            };
            let ends = [
                Call::Check {
                    task: task.clone(),
                    token,
                },
                Call::Complete {
                    task: task.clone(),
                    token,
                },
            ];
            let fails = short
                .iter()
                .flat_map(|after| [fail(false, *after), fail(non_retryable, *after)]);
            ends.into_iter().chain(fails).collect()
        }
        Call::Redrive { .. } => alloc::vec![Call::Redrive { tasks: Vec::new() }],
        _ => Vec::new(),
    }
}

/// Tasks called a, b and so on, workers numbered from 1, one queue.
fn names(draft: &Draft) -> Vec<(String, Draft)> {
    let mut all = Vec::new();
    let mut tasks: Vec<&TaskId> = Vec::new();
    for task in draft.moves.iter().filter_map(|step| step.call.task()) {
        if !tasks.contains(&task) {
            tasks.push(task);
        }
    }
    for (task, letter) in tasks.into_iter().zip("abcdefgh".chars()) {
        if let Ok(id) = TaskId::new(format!("{letter}"))
            && id != *task
        {
            all.push((
                format!("task {task} is called {id}"),
                renamed(draft, task, &id),
            ));
        }
    }
    let mut callers: Vec<&str> = Vec::new();
    for step in &draft.moves {
        if step.by.starts_with("worker") && !callers.contains(&&*step.by) {
            callers.push(&step.by);
        }
    }
    for (number, by) in callers.iter().enumerate() {
        let name = format!("worker {}", number + 1);
        if name != *by && !callers.contains(&&*name) {
            let mut other = draft.clone();
            other
                .moves
                .iter_mut()
                .filter(|step| step.by == *by)
                .for_each(|step| step.by.clone_from(&name));
            all.push((format!("{by} is called {name}"), other));
        }
    }
    all
}

fn renamed(draft: &Draft, from: &TaskId, to: &TaskId) -> Draft {
    let mut other = draft.clone();
    for step in &mut other.moves {
        match &mut step.call {
            Call::Enqueue { task, .. }
            | Call::Check { task, .. }
            | Call::Heartbeat { task, .. }
            | Call::Complete { task, .. }
            | Call::Fail { task, .. } => swap(task, from, to),
            Call::Redrive { tasks } => tasks.iter_mut().for_each(|task| swap(task, from, to)),
            _ => {}
        }
    }
    other
}

fn swap(task: &mut TaskId, from: &TaskId, to: &TaskId) {
    if task == from {
        task.clone_from(to);
    } else if task == to {
        task.clone_from(from);
    }
}

/// Earlier and rounder instants: one call's, with or without all that follow, and low tokens.
fn times(draft: &Draft) -> Vec<(String, Draft)> {
    let mut all = Vec::new();
    let lease = millis_up(draft.options.visibility).max(1);
    for (index, step) in draft.moves.iter().enumerate() {
        let (at, before) = (step.at.as_millis(), previous(draft, index));
        let mut tries: Vec<u64> = alloc::vec![0, before];
        tries.extend([60_000, lease, 1_000].map(|less| at.saturating_sub(less)));
        for round in [lease, 30_000, 10_000, 5_000, 1_000] {
            tries.extend([at / round * round, at.div_ceil(round) * round]);
        }
        tries.retain(|other| *other != at);
        tries.dedup();
        for to in tries {
            for all_move in [true, false] {
                all.push((
                    format!("{} at {} s", step.call, Timestamp::from_millis(to)),
                    moved(draft, index, to, all_move),
                ));
            }
        }
        if let (None, Some((_, token))) = (step.lease_of, step.call.lease())
            && token.0 > 1
        {
            let mut other = draft.clone();
            set_token(&mut other.moves[index].call, Token(token.0 - 1));
            all.push((format!("token {} in place of {token}", token.0 - 1), other));
        }
    }
    all
}

fn previous(draft: &Draft, index: usize) -> u64 {
    let before = index
        .checked_sub(1)
        .and_then(|before| draft.moves.get(before));
    before.map_or(0, |step| step.at.as_millis())
}

/// A call at another instant, and all later ones with it if they follow.
fn moved(draft: &Draft, index: usize, to: u64, all_move: bool) -> Draft {
    let mut other = draft.clone();
    let from = other.moves[index].at.as_millis();
    for (place, step) in other.moves.iter_mut().enumerate().skip(index) {
        if place == index || all_move {
            let at = (step.at.as_millis() + to).saturating_sub(from);
            step.at = Timestamp::from_millis(at);
        }
    }
    other
}

fn set_token(call: &mut Call, to: Token) {
    if let Call::Check { token, .. }
    | Call::Heartbeat { token, .. }
    | Call::Complete { token, .. }
    | Call::Fail { token, .. } = call
    {
        *token = to;
    }
}
