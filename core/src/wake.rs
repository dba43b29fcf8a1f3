//! When a queue is worth looking at again, and why.
//!
//! It knows instants with their reasons. It deliberately does not wait: waiting is the driver's.

use crate::task::TaskId;
use crate::time::Timestamp;
use alloc::string::String;
use core::fmt;
use serde::{Deserialize, Serialize};

/// The next instant at which time alone changes a queue (section 2.4).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Wake {
    /// When.
    pub at: Timestamp,
    /// Why then.
    pub why: Why,
    /// The task it is about.
    pub task: TaskId,
}

/// Why a queue changes by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Why {
    /// A delayed task's retry comes due.
    RetryDue,
    /// A lease reaches its deadline.
    LeaseOver,
}

/// The earlier of two wakes; of two at one instant, the first.
pub fn soonest(one: Option<Wake>, other: Option<Wake>) -> Option<Wake> {
    match (one, other) {
        (Some(a), Some(b)) => Some(if b.at < a.at { b } else { a }),
        (a, b) => a.or(b),
    }
}

impl fmt::Display for Wake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Wake { at, why, task } = self;
        match why {
            Why::RetryDue => write!(f, "{at} s, the retry of {task} comes due"),
            Why::LeaseOver => write!(f, "{at} s, the lease of {task} is over"),
        }
    }
}

/// Nothing on the clock will change the queue, or this will.
pub(crate) fn in_words(wake: Option<&Wake>) -> String {
    match wake {
        Some(wake) => alloc::format!("{wake}"),
        None => String::from("none, only a call can change it"),
    }
}
