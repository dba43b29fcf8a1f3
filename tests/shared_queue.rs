//! The queue that real threads share, by the real clock: few tests, each waiting for a condition.

use fencepost::clock::RealClock;
use fencepost::shared::{PollEnd, SharedQueue};
use fencepost_core::log::MemoryLog;
use fencepost_core::queue::Queue;
use fencepost_core::refusal::Refusal;
use fencepost_core::rules::Chapter;
use fencepost_core::task::{Options, QueueName, Task};
use fencepost_tests::id;
use std::collections::BTreeSet;
use std::thread;
use std::time::{Duration, Instant};

type Shared = SharedQueue<MemoryLog, RealClock>;

/// Far longer than anything here takes, so that only a hang reaches it.
const GENEROUS: Duration = Duration::from_secs(60);

fn shared(visibility: Duration) -> (Shared, QueueName) {
    let options = Options {
        visibility,
        max_attempts: 5,
    };
    let queue = Queue::empty(MemoryLog::new(), Chapter, options);
    (
        SharedQueue::new(queue, RealClock::new()),
        QueueName::new("data").expect("a short name"),
    )
}

fn enqueue(shared: &Shared, queue: &QueueName, task: &str) {
    let task = Task::new(id(task));
    shared
        .call(|it, now| it.enqueue(now, queue, &task))
        .expect("the log takes it");
}

/// Waits until the condition holds.
fn until(condition: impl Fn() -> bool) {
    let began = Instant::now();
    while !condition() {
        assert!(began.elapsed() < GENEROUS, "it never held");
        thread::yield_now();
    }
}

#[test]
fn eight_threads_get_two_hundred_tasks_once_each() {
    let (shared, queue) = shared(GENEROUS);
    let leases = thread::scope(|scope| {
        let poll_25 = || {
            (0..25)
                .map(|_| shared.poll(&queue, "w", GENEROUS).expect("a task"))
                .collect::<Vec<_>>()
        };
        let pollers = [(); 8].map(|()| scope.spawn(poll_25));
        (0..200).for_each(|n| enqueue(&shared, &queue, &format!("t{n}")));
        pollers
            .into_iter()
            .flat_map(|poller| poller.join().expect("no panic"))
            .collect::<Vec<_>>()
    });
    let tasks: BTreeSet<_> = leases.iter().map(|lease| &lease.task.id).collect();
    let tokens: BTreeSet<_> = leases.iter().map(|lease| lease.token).collect();
    assert_eq!((leases.len(), tasks.len(), tokens.len()), (200, 200, 200));
}

#[test]
fn a_poll_wakes_on_an_enqueue_and_when_a_lease_is_over() {
    let (shared, queue) = shared(Duration::from_millis(50));
    thread::scope(|scope| {
        let first = scope.spawn(|| shared.poll(&queue, "w", GENEROUS).expect("a task"));
        until(|| shared.waiting() == 1);
        enqueue(&shared, &queue, "a");
        let first = first.join().expect("no panic");
        let second = shared
            .poll(&queue, "w", GENEROUS)
            .expect("the lease is over in 50 ms");
        assert_eq!((first.attempt.0, second.attempt.0), (1, 2));
        assert!(second.token > first.token);
    });
}

#[test]
fn a_wait_ends_with_no_task_and_not_before_its_time() {
    let (shared, queue) = shared(GENEROUS);
    let began = Instant::now();
    let end = shared
        .poll(&queue, "w", Duration::from_millis(30))
        .expect_err("nothing came");
    assert!(
        matches!(end, PollEnd::Refused(Refusal::NoTask { .. })),
        "{end}"
    );
    assert!(
        began.elapsed() >= Duration::from_millis(29),
        "{:?}",
        began.elapsed()
    );
    assert_eq!(shared.waiting(), 0);
}

#[test]
fn a_poll_that_is_called_off_or_dropped_leaves_nothing_behind() {
    let (shared, queue) = shared(GENEROUS);
    let waiting = shared.begin_poll(&queue, "w", GENEROUS);
    drop(shared.begin_poll(&queue, "w", GENEROUS));
    assert_eq!(shared.waiting(), 1);
    assert!(waiting.cancel() && !waiting.cancel());
    assert_eq!(waiting.wait(), Err(PollEnd::Cancelled));
    enqueue(&shared, &queue, "a");
    assert_eq!(
        shared
            .poll(&queue, "w", Duration::ZERO)
            .expect("nobody took it")
            .attempt
            .0,
        1
    );
}

#[test]
fn polls_are_served_in_the_order_in_which_they_began() {
    let (shared, queue) = shared(GENEROUS);
    let waiting = ["one", "two", "three"].map(|worker| shared.begin_poll(&queue, worker, GENEROUS));
    ["a", "b", "c"]
        .iter()
        .for_each(|task| enqueue(&shared, &queue, task));
    let got = waiting.map(|waiting| waiting.wait().expect("a task each").task.id.to_string());
    assert_eq!(got, ["a", "b", "c"]);
}
