//! What the tests of the long poll share: a queue in virtual time, and what its waiting polls were told.
//!
//! It knows how to call and how to read an answer. It deliberately knows no expected result: those are in
//! the tests.

use crate::id;
use fencepost_core::bench::Bench;
use fencepost_core::log::MemoryLog;
use fencepost_core::long_poll::Ticket;
use fencepost_core::refusal::Refusal;
use fencepost_core::rules::{Chapter, Rules};
use fencepost_core::task::{LeaseId, QueueName, Task, TaskError};
use fencepost_core::time::Timestamp;
use fencepost_core::virtual_time::{ServedAt, VirtualTime};
use std::time::Duration;

/// A queue whose time is moved by hand.
pub type World<R = Chapter> = VirtualTime<MemoryLog, R>;

/// Puts the bench's queue into virtual time.
pub fn world<R: Rules + Clone>(bench: Bench<R>) -> (World<R>, QueueName) {
    (VirtualTime::new(bench.queue), bench.name)
}

/// So many seconds.
pub fn secs(secs: u64) -> Duration {
    Duration::from_secs(secs)
}

/// Enqueues, and gives whom that served.
pub fn enqueue<R: Rules>(world: &mut World<R>, queue: &QueueName, task: &str) -> Vec<ServedAt> {
    let task = Task::new(id(task));
    let (added, served) = world.call(|it, now| it.enqueue(now, queue, &task));
    added.expect("the log takes it");
    served
}

/// Polls, as worker `w`, for the task that must be there.
pub fn poll<R: Rules>(world: &mut World<R>, queue: &QueueName) -> LeaseId {
    world
        .call(|it, now| it.poll(now, queue, "w"))
        .0
        .expect("a task is visible")
        .id()
}

/// Fails a live lease, and gives whom that served.
pub fn fail<R: Rules>(
    world: &mut World<R>,
    lease: &LeaseId,
    retry_after: Duration,
) -> Vec<ServedAt> {
    let error = TaskError {
        retry_after,
        ..TaskError::default()
    };
    let (failed, served) = world.call(|it, now| it.fail(now, lease, &error));
    failed.expect("the lease is live");
    served
}

/// When who was served with which task and attempt; `None` is `NoTask`.
pub type Told = (Timestamp, Ticket, Option<(String, u32)>);

/// What was answered, shortly.
pub fn told(served: &[ServedAt]) -> Vec<Told> {
    let row = |it: &ServedAt| {
        let lease = match &it.served.answer {
            Ok(lease) => Some((lease.task.id.to_string(), lease.attempt.0)),
            Err(Refusal::NoTask { .. }) => None,
            Err(other) => panic!("{other}"),
        };
        (it.at, it.served.ticket, lease)
    };
    served.iter().map(row).collect()
}

/// Served with this task and attempt.
pub fn task(id: &str, attempt: u32) -> Option<(String, u32)> {
    Some((id.to_string(), attempt))
}
