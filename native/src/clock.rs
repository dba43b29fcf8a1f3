//! Clocks: where a real queue's now comes from.
//!
//! It knows the operating system's time. It deliberately knows no queue.

use fencepost_core::time::Timestamp;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// Something that knows what time it is.
pub trait Clock {
    /// The instant now.
    fn now(&self) -> Timestamp;
}

/// The wall clock as it was when this was made, and from then on the monotonic one: a clock that is set
/// back or forth meanwhile moves no deadline.
#[derive(Clone, Copy, Debug)]
pub struct RealClock {
    wall: Timestamp,
    since: Instant,
}

impl RealClock {
    /// Reads the wall clock once. One that stands before 1970 counts from 1970.
    pub fn new() -> Self {
        let wall = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        RealClock {
            wall: Timestamp::ZERO.plus(wall),
            since: Instant::now(),
        }
    }
}

impl Default for RealClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for RealClock {
    fn now(&self) -> Timestamp {
        // Rounded down, so that the clock is never ahead of itself.
        let millis = u64::try_from(self.since.elapsed().as_millis()).unwrap_or(u64::MAX);
        Timestamp::from_millis(self.wall.as_millis().saturating_add(millis))
    }
}
