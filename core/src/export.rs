//! A scenario as text for other places: a Rust test, a JavaScript test, lines on a TCP connection, a table.
//!
//! It knows how to play a scenario by the chapter's rules, so that every text shows what the queue really
//! answers and not what somebody expected. It deliberately decides nothing and writes no file.

mod javascript;
mod markdown;
mod rust;
mod tcp;
mod text;

use crate::bench::{Bench, Told};
use crate::call::Answer;
use crate::rules::Chapter;
use crate::scenario::{Planned, Scenario};
use crate::task::QueueName;
use crate::time::Timestamp;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

pub use javascript::{CannotExport, javascript_test};
pub use markdown::markdown_table;
pub use rust::rust_test;
pub use tcp::tcp_transcript;

/// One call of a scenario, carried out.
struct Played<'s> {
    at: Timestamp,
    planned: &'s Planned,
    /// The queue it went to.
    queue: &'s QueueName,
    /// What it came to.
    answer: Answer,
    /// The waiting polls that were answered since the call before.
    served: Vec<Told>,
}

/// A bench for a scenario, with nothing in it.
fn bench_for(scenario: &Scenario) -> Bench<Chapter> {
    Bench::new(scenario.queue.clone(), Chapter, scenario.options())
}

/// Every call of a scenario, carried out in order.
fn play(scenario: &Scenario) -> Vec<Played<'_>> {
    let mut bench = bench_for(scenario);
    let mut played = Vec::new();
    for (at, planned) in scenario.calls() {
        let queue = queue_of(scenario, planned);
        let call = &planned.call;
        let answer = call.carry_out_in(&mut bench, queue, at, &planned.by);
        let served = bench.take_served();
        played.push(Played {
            at,
            planned,
            queue,
            answer,
            served,
        });
    }
    played
}

/// The queue that a call goes to.
fn queue_of<'s>(scenario: &'s Scenario, planned: &'s Planned) -> &'s QueueName {
    planned.queue.as_ref().unwrap_or(&scenario.queue)
}

/// A call in a table's words, with its queue if that is not the scenario's own.
fn call_words(scenario: &Scenario, planned: &Planned) -> String {
    let queue = queue_of(scenario, planned);
    if *queue == scenario.queue {
        format!("{}", planned.call)
    } else {
        format!("{} on {queue}", planned.call)
    }
}
