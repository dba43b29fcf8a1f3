//! Judging who waits: each is answered at the right instant, once, and in turn.
//!
//! It knows who began to wait when and until when. It deliberately knows no lobby.

use super::{Oracle, Property};
use crate::bench::Told;
use crate::call::Outcome;
use crate::task::QueueName;
use crate::time::Timestamp;
use alloc::format;
use alloc::string::String;

/// Somebody who waits.
#[derive(Clone, Debug)]
pub(super) struct Waiter {
    pub(super) by: String,
    pub(super) queue: QueueName,
    pub(super) began: Timestamp,
    pub(super) ends: Timestamp,
}

impl Oracle {
    /// A poll begins to wait; an earlier one of the same caller waits no longer.
    pub(super) fn wait_begins(&mut self, waiter: Waiter) {
        self.waiting.retain(|other| other.by != waiter.by);
        self.waiting.push(waiter);
    }

    pub(super) fn wait_answered(&mut self, told: &Told) {
        let Some(place) = self.waiting.iter().position(|it| it.by == told.by) else {
            let what = format!("{} was answered, and no poll of it waits", told.by);
            return self.found(Property::WaitsEnd, what);
        };
        let waiter = self.waiting.remove(place);
        let (by, at) = (&told.by, told.at);
        let earlier = self.waiting[..place]
            .iter()
            .find(|other| other.queue == waiter.queue);
        match &told.answer.outcome {
            Outcome::NoTask if at != waiter.ends => {
                let what = format!(
                    "{by} was told at {at} s that nothing is visible, its wait ends at {} s",
                    waiter.ends
                );
                self.found(Property::WaitsEnd, what);
            }
            Outcome::Leased { task, .. } => {
                if let Some(other) = earlier {
                    let what = format!(
                        "{by} was served before {}, which waits since {} s",
                        other.by, other.began
                    );
                    self.found(Property::InTurn, what);
                }
                let visible = self
                    .shelves
                    .get(&waiter.queue)
                    .and_then(|it| it.first_visible());
                let due = visible.map_or(at, |(_, since)| since.max(waiter.began));
                if due < at {
                    let what =
                        format!("{by} was served at {at} s, task {task} is visible since {due} s");
                    self.found(Property::WakesAtOnce, what);
                }
            }
            _ => {}
        }
    }

    pub(super) fn judge_waits(&mut self) {
        let late = self.waiting.iter().find_map(|waiter| {
            let Waiter {
                by,
                queue,
                began,
                ends,
            } = waiter;
            let visible = self.shelves.get(queue).and_then(|it| it.first_visible());
            match visible {
                Some((task, since)) => Some((
                    Property::WakesAtOnce,
                    format!(
                        "{by} waits since {began} s, and task {task} is visible since {since} s"
                    ),
                )),
                None if *ends <= self.now => Some((
                    Property::WaitsEnd,
                    format!(
                        "at {} s {by} still waits, its wait ends at {ends} s",
                        self.now
                    ),
                )),
                None => None,
            }
        });
        if let Some((property, what)) = late {
            self.found(property, what);
        }
    }
}
