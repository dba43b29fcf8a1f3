//! How far a schedule is from plain: what shrinking makes smaller.
//!
//! It knows which names, numbers and times read best. It deliberately does not know how to get there.

use super::draft::Draft;
use crate::call::Call;
use crate::task::{QueueName, TaskId};
use crate::time::millis_up;
use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use core::time::Duration;

/// Smaller is better: fewer calls before fewer names, plainer calls before rounder times.
pub(super) type Weight = (usize, usize, u64, u64, u64);

/// How far a draft is from plain.
pub(super) fn weight(draft: &Draft) -> Weight {
    let moves = &draft.moves;
    let callers: BTreeSet<&str> = moves.iter().map(|step| &*step.by).collect();
    let tasks: BTreeSet<&TaskId> = moves.iter().filter_map(|step| step.call.task()).collect();
    let queues: BTreeSet<&QueueName> = moves.iter().map(|step| &step.queue).collect();
    let calls: u64 = moves.iter().map(|step| call_weight(&step.call)).sum();
    let names: u64 = callers.iter().map(|by| name_weight(by)).sum::<u64>()
        + tasks
            .iter()
            .map(|task| name_weight(task.as_str()))
            .sum::<u64>();
    let odd: u64 = moves.iter().map(|step| oddness(step.at.as_millis())).sum();
    let steps_back = moves
        .windows(2)
        .filter(|pair| pair[1].at < pair[0].at)
        .count();
    let options =
        oddness(millis_up(draft.options.visibility)) + u64::from(draft.options.max_attempts);
    (
        moves.len(),
        callers.len() + tasks.len() + 8 * queues.len() + 4 * steps_back,
        calls + options,
        names + odd + out_of_order(draft),
        moves.iter().map(|step| step.at.as_millis()).sum(),
    )
}

/// How many tasks are enqueued after one whose name comes later.
fn out_of_order(draft: &Draft) -> u64 {
    let enqueued: Vec<&TaskId> = draft
        .moves
        .iter()
        .filter(|step| matches!(step.call, Call::Enqueue { .. }))
        .filter_map(|step| step.call.task())
        .collect();
    enqueued.windows(2).filter(|pair| pair[1] < pair[0]).count() as u64
}

/// How badly a length reads: 30 s best, then round numbers.
fn oddness(millis: u64) -> u64 {
    match millis {
        0 => 0,
        _ if millis.is_multiple_of(30_000) => 1,
        _ if millis.is_multiple_of(10_000) => 2,
        _ if millis.is_multiple_of(5_000) => 3,
        _ if millis.is_multiple_of(1_000) => 4,
        _ => 8,
    }
}

/// Names that come early in the alphabet, and low numbers.
fn name_weight(name: &str) -> u64 {
    name.bytes().map(u64::from).sum::<u64>() / 16 + u64::from(name.bytes().last().unwrap_or(0))
}

fn call_weight(call: &Call) -> u64 {
    let text = |text: &str| text.len() as u64;
    let length = |length: &Duration| oddness(millis_up(*length));
    match call {
        Call::Enqueue {
            payload,
            max_attempts,
            visibility,
            ..
        } => text(payload) + length(visibility) + u64::from(*max_attempts),
        Call::LongPoll { wait } => 4 + length(wait),
        Call::Heartbeat { details, .. } => 3 + text(details),
        Call::Fail {
            error,
            non_retryable,
            retry_after,
            ..
        } => 3 + text(error) + u64::from(*non_retryable) + length(retry_after),
        Call::Check { .. } => 1,
        Call::Complete { .. } => 2,
        Call::Redrive { tasks } => tasks.len() as u64,
        Call::Poll | Call::PollReturns | Call::DeadLetters | Call::Depth => 0,
        Call::Reopen | Call::BreakLog | Call::MendLog => 1,
    }
}
