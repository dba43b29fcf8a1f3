//! How much there is to explore, and whether a packed state has room for it.
//!
//! It knows numbers and their limits. It deliberately explores nothing.

use super::small::{ROOM, STEP_MAX, TOKEN_MAX};
use core::fmt;
use core::time::Duration;
use serde::Serialize;

/// How much there is to explore. Times are steps; a lease lasts 30 s, as in the chapter's worked example.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Scope {
    /// Tasks, 1 to 3.
    pub tasks: u8,
    /// Workers, 1 to 3.
    pub workers: u8,
    /// Deliveries before the dead letters, 1 to 3.
    pub max_attempts: u8,
    /// The last step.
    pub horizon: u8,
    /// How many steps a lease lasts.
    pub visibility: u8,
    /// How many steps a retry is delayed.
    pub retry: u8,
    /// How often an id may be added.
    pub lives: u8,
    /// How often the operator redrives.
    pub redrives: u8,
    /// How often the server crashes and opens again.
    pub crashes: u8,
    /// How often the log begins to fail.
    pub failures: u8,
    /// Whether strangers guess tokens that nobody was handed yet.
    pub guesses: bool,
}

impl Scope {
    /// So many tasks, workers and attempts, with one of each fault, and time for every attempt to expire.
    pub fn new(tasks: u8, workers: u8, max_attempts: u8) -> Self {
        Scope {
            tasks,
            workers,
            max_attempts,
            horizon: 2 * max_attempts.min(3) + 1,
            visibility: 2,
            retry: 1,
            lives: 1,
            redrives: 1,
            crashes: 1,
            failures: 1,
            guesses: false,
        }
    }

    /// The length of a step.
    pub fn step(self) -> Duration {
        Duration::from_secs(30) / u32::from(self.visibility.max(1))
    }

    /// Refuses a scope that has no room in a packed state.
    pub fn checked(self) -> Result<Self, ScopeTooLarge> {
        let tokens = u64::from(self.tasks)
            * u64::from(self.lives)
            * u64::from(self.max_attempts)
            * (1 + u64::from(self.redrives));
        let limits = [
            ("tasks", self.tasks.into(), 1, ROOM as u64),
            ("workers", self.workers.into(), 1, ROOM as u64),
            ("max attempts", self.max_attempts.into(), 1, 3),
            ("a lease in steps", self.visibility.into(), 1, 8),
            ("lives of an id", self.lives.into(), 1, 3),
            ("crashes", self.crashes.into(), 0, 3),
            ("log failures", self.failures.into(), 0, 3),
            ("redrives", self.redrives.into(), 0, 3),
            ("a retry in steps", self.retry.into(), 0, 8),
            (
                "the last step and the longest wait",
                u64::from(self.horizon) + u64::from(self.visibility.max(self.retry)),
                1,
                STEP_MAX.into(),
            ),
            ("tokens that may be handed out", tokens, 1, TOKEN_MAX),
        ];
        let wrong = limits
            .into_iter()
            .find(|(_, is, least, most)| is < least || is > most);
        match wrong {
            Some((what, is, least, most)) => Err(ScopeTooLarge {
                what,
                is,
                least,
                most,
            }),
            None => Ok(self),
        }
    }
}

/// A scope has no room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScopeTooLarge {
    what: &'static str,
    is: u64,
    least: u64,
    most: u64,
}

impl fmt::Display for ScopeTooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ScopeTooLarge {
            what,
            is,
            least,
            most,
        } = self;
        write!(
            f,
            "{what}: {least} to {most}, here {is}; choose a smaller scope"
        )
    }
}

impl core::error::Error for ScopeTooLarge {}
