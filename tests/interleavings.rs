//! The blocking long poll under every interleaving a model checker finds: its own source, compiled against
//! the checker's locks, with time that another thread moves. A missed wake-up is a deadlock it reports.

#![allow(unreachable_pub, dead_code)]

#[path = "../native/src/clock.rs"]
mod clock;
#[path = "../native/src/shared.rs"]
mod shared;

use clock::Clock;
use fencepost_core::log::NoLog;
use fencepost_core::queue::Queue;
use fencepost_core::refusal::Refusal;
use fencepost_core::rules::Chapter;
use fencepost_core::task::{Options, QueueName, Task, TaskError, TaskId};
use fencepost_core::time::Timestamp;
use shared::{PollEnd, SharedQueue};
use shuttle::thread;
use std::time::Duration;
use sync::Arc;

/// The checker's locks, and a condition variable whose timeout is a time that a test moves.
mod sync {
    use fencepost_core::time::Timestamp;
    pub use shuttle::sync::{Arc, Mutex, MutexGuard};
    use shuttle::sync::{Condvar as Bell, LockResult};
    use std::fmt;
    use std::time::Duration;

    /// The time of one execution, and whose sleep ends when.
    #[derive(Default)]
    pub struct Time {
        now: Mutex<u64>,
        /// What the clock said last, to the thread that holds the queue's lock: its sleep counts from there.
        read: Mutex<u64>,
        sleepers: Mutex<Vec<(u64, Arc<Bell>)>>,
    }

    shuttle::lazy_static! {
        pub static ref TIME: Time = Time::default();
    }

    impl Time {
        /// The time, for a test to see.
        pub fn seen(&self) -> Timestamp {
            Timestamp::from_millis(*self.now.lock().expect("alive"))
        }

        /// The time, for the thread that holds the queue's lock.
        pub fn now(&self) -> Timestamp {
            let now = *self.now.lock().expect("alive");
            *self.read.lock().expect("alive") = now;
            Timestamp::from_millis(now)
        }

        /// Moves the clock. `barrier` takes the queue's lock once, so that whoever set a timer sleeps.
        pub fn advance_to(&self, millis: u64, barrier: impl FnOnce() -> usize) {
            *self.now.lock().expect("alive") = millis;
            barrier();
            let mut sleepers = self.sleepers.lock().expect("alive");
            let due = sleepers.extract_if(.., |(until, _)| *until <= millis);
            due.for_each(|(_, bell)| bell.notify_all());
        }
    }

    /// A condition variable with timeouts.
    pub struct Condvar(Arc<Bell>);

    impl Condvar {
        pub fn new() -> Self {
            Condvar(Arc::new(Bell::new()))
        }

        pub fn notify_one(&self) {
            self.0.notify_one();
        }

        pub fn wait<'a, T>(&self, guard: MutexGuard<'a, T>) -> LockResult<MutexGuard<'a, T>> {
            self.0.wait(guard)
        }

        pub fn wait_timeout<'a, T>(
            &self,
            guard: MutexGuard<'a, T>,
            length: Duration,
        ) -> LockResult<(MutexGuard<'a, T>, ())> {
            let read = Timestamp::from_millis(*TIME.read.lock().expect("alive"));
            let until = read.plus(length).as_millis();
            TIME.sleepers
                .lock()
                .expect("alive")
                .push((until, self.0.clone()));
            Ok((self.0.wait(guard).expect("alive"), ()))
        }
    }

    impl fmt::Debug for Condvar {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("Condvar")
        }
    }
}

struct MovedByHand;

impl Clock for MovedByHand {
    fn now(&self) -> Timestamp {
        sync::TIME.now()
    }
}

type Shared = SharedQueue<NoLog, MovedByHand, Chapter>;

const WAIT: Duration = Duration::from_secs(30);
const SCHEDULES: usize = 2_000;

fn shared() -> (Arc<Shared>, QueueName) {
    let options = Options {
        visibility: Duration::from_secs(10),
        max_attempts: 5,
    };
    let queue = Queue::empty(NoLog, Chapter, options);
    (
        Arc::new(SharedQueue::new(queue, MovedByHand)),
        QueueName::new("data").expect("short"),
    )
}

fn enqueue(shared: &Shared, queue: &QueueName, id: &str) {
    let task = Task::new(TaskId::new(id).expect("short"));
    shared
        .call(|it, now| it.enqueue(now, queue, &task))
        .expect("no log to fail");
}

type Polled = Result<(String, Timestamp), PollEnd>;

/// A thread that polls; it gives the task's id and when it got it, or how the poll ended.
fn poller(shared: &Arc<Shared>, queue: &QueueName) -> thread::JoinHandle<Polled> {
    let (shared, queue) = (shared.clone(), queue.clone());
    thread::spawn(move || {
        let lease = shared.poll(&queue, "w", WAIT)?;
        Ok((lease.task.id.to_string(), sync::TIME.seen()))
    })
}

/// Two polls that have begun to wait.
fn two_waiting(shared: &Arc<Shared>, queue: &QueueName) -> [thread::JoinHandle<Polled>; 2] {
    let pollers = [(); 2].map(|()| poller(shared, queue));
    while shared.waiting() < 2 {
        thread::yield_now();
    }
    pollers
}

fn advance(shared: &Shared, secs: u64) {
    sync::TIME.advance_to(secs * 1_000, || shared.waiting());
}

fn check(test: impl Fn() + Send + Sync + 'static + Clone) {
    shuttle::check_random(test.clone(), SCHEDULES);
    shuttle::check_pct(test, SCHEDULES, 3);
}

#[test]
fn every_enqueue_wakes_a_poll() {
    check(|| {
        let (shared, queue) = shared();
        let pollers = [(); 3].map(|()| poller(&shared, &queue));
        for id in ["a", "b", "c"] {
            enqueue(&shared, &queue, id);
        }
        let mut got = pollers.map(|poller| poller.join().expect("alive").expect("one each").0);
        got.sort();
        assert_eq!(got, ["a", "b", "c"]);
        assert_eq!(shared.waiting(), 0);
    });
}

#[test]
fn a_retry_that_comes_due_wakes_a_poll_at_its_instant() {
    check(|| {
        let (shared, queue) = shared();
        enqueue(&shared, &queue, "a");
        let lease = shared.poll(&queue, "w", Duration::ZERO).expect("visible");
        let waiting = poller(&shared, &queue);
        let error = TaskError {
            retry_after: Duration::from_secs(5),
            ..TaskError::default()
        };
        shared
            .call(|it, now| it.fail(now, &lease.id(), &error))
            .expect("live");
        advance(&shared, 5);
        assert_eq!(
            waiting.join().expect("alive"),
            Ok(("a".into(), Timestamp::from_secs(5)))
        );
    });
}

/// Two wait; the first is served and leaves, and the second must keep the time from then on.
#[test]
fn the_next_in_line_keeps_the_time_when_the_first_leaves() {
    check(|| {
        let (shared, queue) = shared();
        let pollers = two_waiting(&shared, &queue);
        enqueue(&shared, &queue, "a");
        // Its worker dies: at 10 s the lease is over, and the other poll gets the task.
        advance(&shared, 10);
        let got = pollers.map(|poller| poller.join().expect("alive").expect("one each").0);
        assert_eq!(got, ["a", "a"]);
    });
}

#[test]
fn the_end_of_a_wait_answers_no_task() {
    check(|| {
        let (shared, queue) = shared();
        let pollers = two_waiting(&shared, &queue);
        advance(&shared, 29);
        assert_eq!(shared.waiting(), 2);
        advance(&shared, 30);
        for poller in pollers {
            let end = poller.join().expect("alive");
            assert!(
                matches!(end, Err(PollEnd::Refused(Refusal::NoTask { .. }))),
                "{end:?}"
            );
        }
    });
}

#[test]
fn a_cancelled_poll_leaves_its_task_to_the_next() {
    check(|| {
        let (shared, queue) = shared();
        let second = {
            let first = shared.begin_poll(&queue, "w", WAIT);
            let second = poller(&shared, &queue);
            let canceller = thread::spawn({
                let (shared, queue) = (shared.clone(), queue.clone());
                move || enqueue(&shared, &queue, "a")
            });
            let waited = first.cancel();
            canceller.join().expect("alive");
            if !waited {
                assert_eq!(
                    first.wait().expect("it was served before").task.id.as_str(),
                    "a"
                );
                enqueue(&shared, &queue, "b");
            }
            second
        };
        assert!(second.join().expect("alive").is_ok());
        assert_eq!(shared.waiting(), 0);
    });
}
