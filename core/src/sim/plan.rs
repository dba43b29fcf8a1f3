//! The plan of a run: drawn from its seed before anything happens, and printed first.
//!
//! It knows how many of what there are, and which faults exist at all and how often (swarm testing: a run
//! without a fault finds what a run with all of them hides). It deliberately runs nothing.

use super::dice::Dice;
use crate::task::Options;
use crate::time::Secs;
use core::fmt;
use core::time::Duration;
use serde::Serialize;

/// What may go wrong, or at least happen, in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fault {
    /// A worker takes a task and is never heard of again.
    Deaths,
    /// A worker answers at or after its lease's deadline.
    LateAnswers,
    /// An answer is lost, so the worker calls again.
    LostAnswers,
    /// A worker fails its task.
    Failures,
    /// A worker fails its task for good.
    NonRetryable,
    /// A worker extends its lease.
    Heartbeats,
    /// A worker asks whether its lease may still act.
    Checks,
    /// A worker shows a token that is not its own.
    WrongTokens,
    /// A poll waits.
    LongPolls,
    /// A producer enqueues an id again.
    Duplicates,
    /// A task has its own visibility or max attempts.
    OwnNumbers,
    /// An operator looks, and moves dead letters back.
    Redrives,
    /// The server crashes and opens again.
    Crashes,
    /// The log refuses records for a while.
    LogFailures,
    /// The clock steps back.
    ClockSteps,
}

/// All of them, with the words of a plan.
pub const FAULTS: [(Fault, &str); 15] = [
    (Fault::Deaths, "deaths"),
    (Fault::LateAnswers, "late answers"),
    (Fault::LostAnswers, "lost answers"),
    (Fault::Failures, "failures"),
    (Fault::NonRetryable, "failures for good"),
    (Fault::Heartbeats, "heartbeats"),
    (Fault::Checks, "checks"),
    (Fault::WrongTokens, "wrong tokens"),
    (Fault::LongPolls, "long polls"),
    (Fault::Duplicates, "duplicates"),
    (Fault::OwnNumbers, "tasks with their own numbers"),
    (Fault::Redrives, "redrives"),
    (Fault::Crashes, "crashes"),
    (Fault::LogFailures, "log failures"),
    (Fault::ClockSteps, "clock steps"),
];

/// Everything that is settled before a run begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Plan {
    /// The number that it all came from.
    pub seed: u64,
    /// How many workers.
    pub workers: u8,
    /// How many queues.
    pub queues: u8,
    /// How many different task ids a queue.
    pub tasks: u8,
    /// The default visibility timeout, in milliseconds.
    pub visibility_ms: u64,
    /// The default max attempts.
    pub max_attempts: u32,
    /// How many calls until everything heals.
    pub calls: u32,
    /// Of each of [`FAULTS`], how often: once in so many chances, 0 for never.
    pub rates: [u32; FAULTS.len()],
}

impl Plan {
    /// Draws a plan.
    pub fn draw(seed: u64) -> Self {
        let dice = &mut Dice::of(seed, 0);
        Plan {
            seed,
            workers: 1 + dice.below(4) as u8,
            queues: 1 + dice.one_in(3) as u8,
            tasks: 1 + dice.below(4) as u8,
            visibility_ms: dice.choose([2_000, 5_000, 10_000, 30_000]),
            max_attempts: 1 + dice.below(4) as u32,
            calls: 10 + dice.below(50) as u32,
            rates: FAULTS.map(|_| {
                if dice.one_in(2) {
                    dice.choose([2, 3, 5, 8]) as u32
                } else {
                    0
                }
            }),
        }
    }

    /// How often this happens: once in so many chances, 0 for never.
    pub fn rate(&self, fault: Fault) -> u32 {
        self.rates[fault as usize]
    }

    /// The queue's defaults.
    pub fn options(&self) -> Options {
        Options {
            visibility: Duration::from_millis(self.visibility_ms),
            max_attempts: self.max_attempts,
        }
    }
}

/// One line, as a run prints it before it starts.
impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Plan {
            seed,
            workers,
            queues,
            tasks,
            max_attempts,
            calls,
            ..
        } = self;
        let visibility = Secs(Duration::from_millis(self.visibility_ms));
        write!(
            f,
            "seed {seed}: workers {workers}, queues {queues}, ids {tasks}, V {visibility} s, M {max_attempts}, {calls} calls; "
        )?;
        let mut between = "";
        for (fault, words) in FAULTS {
            let rate = self.rate(fault);
            if rate > 0 {
                write!(f, "{between}{words} 1 in {rate}")?;
                between = ", ";
            }
        }
        if between.is_empty() {
            write!(f, "nothing goes wrong")?;
        }
        Ok(())
    }
}
