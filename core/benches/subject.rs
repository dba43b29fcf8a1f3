//! What is measured: one interface over our queue and its two yardsticks.
//!
//! It knows the six calls. It deliberately knows nothing of how any of the three works.

use fencepost_core::bytes::Bytes;
use fencepost_core::log::NoLog;
use fencepost_core::queue::Queue;
use fencepost_core::rules::Chapter;
use fencepost_core::task::{Lease, LeaseId, Options, QueueName, Task, TaskError, TaskId};
use fencepost_core::time::Timestamp;
use std::time::Duration;

/// The visibility timeout of every subject.
pub(crate) const VISIBILITY: Duration = Duration::from_secs(30);

/// A queue that can be measured. `now` never steps back.
pub(crate) trait Subject {
    /// What a poll hands out and an answer shows.
    type Lease;

    /// An empty one.
    fn new() -> Self;
    /// Adds task number `n`.
    fn enqueue(&mut self, now: u64, n: u64);
    /// Hands out the first task in line.
    fn poll(&mut self, now: u64) -> Option<Self::Lease>;
    /// The work is done.
    fn complete(&mut self, now: u64, lease: &Self::Lease);
    /// The work goes on.
    fn heartbeat(&mut self, now: u64, lease: &Self::Lease);
    /// The work failed; again in `retry_ms`.
    fn fail(&mut self, now: u64, lease: &Self::Lease, retry_ms: u64);
    /// How many are visible, delayed, leased and dead, added up.
    fn depth(&mut self, now: u64) -> usize;
}

/// The queue of this crate, without a log.
pub(crate) struct Ours {
    queue: Queue<NoLog, Chapter>,
    name: QueueName,
}

/// Task number `n`'s id, as long as ids of orders or mails are.
pub(crate) fn id(n: u64) -> String {
    format!("task-{n:010}")
}

impl Subject for Ours {
    type Lease = LeaseId;

    fn new() -> Self {
        let options = Options {
            visibility: VISIBILITY,
            max_attempts: 1_000_000,
        };
        Ours {
            queue: Queue::empty(NoLog, Chapter, options),
            name: QueueName::new("bench").unwrap(),
        }
    }

    fn enqueue(&mut self, now: u64, n: u64) {
        let task = Task::new(TaskId::new(id(n)).unwrap());
        self.queue
            .enqueue(Timestamp::from_millis(now), &self.name, &task)
            .unwrap();
    }

    fn poll(&mut self, now: u64) -> Option<LeaseId> {
        self.queue
            .poll(Timestamp::from_millis(now), &self.name, "w")
            .ok()
            .as_ref()
            .map(Lease::id)
    }

    fn complete(&mut self, now: u64, lease: &LeaseId) {
        self.queue
            .complete(Timestamp::from_millis(now), lease)
            .unwrap();
    }

    fn heartbeat(&mut self, now: u64, lease: &LeaseId) {
        self.queue
            .heartbeat(Timestamp::from_millis(now), lease, &Bytes::NONE)
            .unwrap();
    }

    fn fail(&mut self, now: u64, lease: &LeaseId, retry_ms: u64) {
        let retry_after = Duration::from_millis(retry_ms);
        let error = TaskError {
            retry_after,
            ..TaskError::default()
        };
        self.queue
            .fail(Timestamp::from_millis(now), lease, &error)
            .unwrap();
    }

    fn depth(&mut self, now: u64) -> usize {
        let depth = self.queue.depth(Timestamp::from_millis(now), &self.name);
        (depth.visible + depth.delayed + depth.leased + depth.dead) as usize
    }
}
