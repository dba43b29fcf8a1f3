//! Every call at its boundaries, as tables: time in ms, call, outcome in a table's words.

use fencepost_core::call::Call::{DeadLetters, Depth, Poll};
use fencepost_core::call::{Call, Outcome};
use fencepost_core::log::Log;
use fencepost_core::queue::Queue;
use fencepost_core::refusal::{Lost, Refusal};
use fencepost_core::task::{
    DeadLetter, LeaseId, Options, QueueName, Task, TaskError, TaskId, Token,
};
use fencepost_core::time::Timestamp;
use fencepost_core::wake::Why;
use fencepost_tests::{bench, check_table, complete, enqueue, fail, id, outcome, s};
use std::time::Duration;

/// A worker that never answers kills its task in the end, at the deadline, whenever anyone looks.
#[test]
fn a_poison_task_dies_at_its_deadline() {
    check_table(
        &mut bench(1),
        &[
            (0, enqueue("a"), "added"),
            (0, Poll, "a, attempt 1, token 1, deadline 30"),
            (29_999, DeadLetters, "no dead letters"),
            (90_000, DeadLetters, "a, 1 attempt, at 30"),
            (90_000, Depth, "0 visible, 0 delayed, 0 leased, 1 dead"),
        ],
    );
}

/// A retry is hidden until it is due, to the millisecond (pitfall 4).
#[test]
fn a_retry_waits_its_delay() {
    check_table(
        &mut bench(3),
        &[
            (0, enqueue("a"), "added"),
            (0, Poll, "a, attempt 1, token 1, deadline 30"),
            (2_000, fail("a", 1, 30), "Retrying, visible at 32"),
            (31_999, Poll, "NoTask"),
            (31_999, Depth, "0 visible, 1 delayed, 0 leased, 0 dead"),
            (32_000, Depth, "1 visible, 0 delayed, 0 leased, 0 dead"),
            (32_000, Poll, "a, attempt 2, token 2, deadline 62"),
        ],
    );
}

/// A clock that steps back moves nothing back (decisions, time).
#[test]
fn a_clock_that_steps_back_is_the_largest_now() {
    check_table(
        &mut bench(3),
        &[
            (10_000, enqueue("a"), "added"),
            (0, Poll, "a, attempt 1, token 1, deadline 40"),
            (40_000, Depth, "1 visible, 0 delayed, 0 leased, 0 dead"),
            (39_000, complete("a", 1), "LeaseLost"),
            (5_000, Poll, "a, attempt 2, token 2, deadline 70"),
        ],
    );
}

/// Per-task V and M go before the queue's; a V finer than 1 ms rounds up.
#[test]
fn a_task_may_have_its_own_numbers() {
    let own = Call::Enqueue {
        task: id("a"),
        payload: String::new(),
        max_attempts: 1,
        visibility: Duration::from_nanos(1),
    };
    check_table(
        &mut bench(3),
        &[
            (0, own, "added"),
            (0, Poll, "a, attempt 1, token 1, deadline 0.001"),
            (1, DeadLetters, "a, 1 attempt, at 0.001"),
        ],
    );
}

/// The last instant there is: a deadline saturates there and nothing wraps.
#[test]
fn times_saturate_at_the_end() {
    let mut bench = bench(1);
    assert_eq!(
        outcome(&mut bench, Timestamp::MAX, enqueue("a")),
        Outcome::Added
    );
    let Outcome::Leased { deadline, .. } = outcome(&mut bench, Timestamp::MAX, Poll) else {
        panic!("visible")
    };
    assert_eq!(deadline, Timestamp::MAX);
    assert_eq!(
        outcome(&mut bench, Timestamp::MAX, complete("a", 1)),
        Outcome::LeaseLost
    );
}

/// Queues do not see each other, and one counter numbers the leases of all.
#[test]
fn queues_share_only_the_token_counter() {
    let mut bench = bench(3);
    let (one, two) = (
        QueueName::new("one").unwrap(),
        QueueName::new("two").unwrap(),
    );
    let queue = &mut bench.queue;
    for name in [&one, &two] {
        queue.enqueue(s(0), name, &Task::new(id("a"))).unwrap();
    }
    let first = queue.poll(s(0), &one, "w").unwrap();
    let second = queue.poll(s(0), &two, "w").unwrap();
    assert_eq!((first.token, second.token), (Token(1), Token(2)));
    let crossed = LeaseId {
        queue: two.clone(),
        ..first.id()
    };
    assert!(matches!(
        queue.complete(s(0), &crossed),
        Err(Refusal::LeaseLost { .. })
    ));
    queue.complete(s(0), &first.id()).unwrap();
    assert_eq!(
        (
            queue.depth(s(0), &one).leased,
            queue.depth(s(0), &two).leased
        ),
        (0, 1)
    );
    assert_eq!(
        queue.depth(s(0), &QueueName::new("three").unwrap()),
        Default::default()
    );
}

/// A refusal says why, and a poll that finds nothing when to ask again.
#[test]
fn refusals_carry_their_reason() {
    let mut bench = bench(3);
    let name = bench.name.clone();
    let queue = &mut bench.queue;
    assert_eq!(
        queue.poll(s(0), &name, "w"),
        Err(Refusal::NoTask { ask_again: None })
    );
    queue.enqueue(s(0), &name, &Task::new(id("a"))).unwrap();
    let old = queue.poll(s(0), &name, "w").unwrap().id();
    let Err(Refusal::NoTask {
        ask_again: Some(wake),
    }) = queue.poll(s(1), &name, "w")
    else {
        panic!("leased")
    };
    assert_eq!(
        (wake.at, wake.why, wake.task.as_str()),
        (s(30), Why::LeaseOver, "a")
    );

    let why = |refused: Result<(), Refusal>| match refused {
        Err(Refusal::LeaseLost { why, .. }) => why,
        other => panic!("{other:?}"),
    };
    assert_eq!(
        why(queue.check(s(30), &old)),
        Lost::Over { deadline: s(30) }
    );
    let new = queue.poll(s(45), &name, "w").unwrap().id();
    assert_eq!(
        why(queue.check(s(45), &old)),
        Lost::Replaced {
            by: Token(2),
            at: s(45)
        }
    );
    let text = queue.check(s(45), &old).unwrap_err().to_string();
    assert_eq!(
        text,
        "lease lost: token 1 of task \"a\" was replaced by token 2 at 45 s; poll for a new lease"
    );
    queue.complete(s(46), &new).unwrap();
    assert_eq!(why(queue.complete(s(46), &new)), Lost::Gone);
}

/// A dead letter is the task as it was enqueued, with the reason of its last attempt, whatever came before.
#[test]
fn a_dead_letter_keeps_the_task_and_says_why_it_died() {
    let mut bench = bench(2);
    let name = bench.name.clone();
    let queue = &mut bench.queue;
    let task = Task {
        payload: "work".into(),
        max_attempts: 2,
        visibility: Duration::from_secs(9),
        ..Task::new(id("a"))
    };
    let boom = |retry_secs| TaskError {
        message: "boom".into(),
        retry_after: Duration::from_secs(retry_secs),
        non_retryable: false,
    };
    let died = |queue: &mut Queue<_, _>, at| {
        let [letter]: [DeadLetter; 1] = queue
            .dead_letters(at, &name)
            .try_into()
            .expect("one dead letter");
        assert_eq!((&letter.task, letter.attempts.0), (&task, 2));
        (letter.last_error, letter.at)
    };
    queue.enqueue(s(0), &name, &task).unwrap();
    // Fails, then never answers.
    let lease = queue.poll(s(0), &name, "w").unwrap();
    queue.fail(s(1), &lease.id(), &boom(0)).unwrap();
    assert_eq!(queue.picture(s(1), &name).tasks[0].last_error, "boom");
    queue.poll(s(1), &name, "w").unwrap();
    assert_eq!(died(queue, s(99)), ("lease expired".to_string(), s(10)));
    // Redriven: nothing of the past is left. Never answers, then fails.
    queue.redrive(s(100), &name, &[]).unwrap();
    assert_eq!(queue.picture(s(100), &name).tasks[0].last_error, "");
    queue.poll(s(100), &name, "w").unwrap();
    assert_eq!(
        queue.picture(s(109), &name).tasks[0].last_error,
        "lease expired"
    );
    let lease = queue.poll(s(109), &name, "w").unwrap();
    queue.fail(s(110), &lease.id(), &boom(5)).unwrap();
    assert_eq!(died(queue, s(111)), ("boom".to_string(), s(110)));
}

/// When time alone changes a queue next, and why: the earlier of the next retry and the next deadline.
#[test]
fn the_next_wake_has_its_reason() {
    let mut bench = bench(3);
    let name = bench.name.clone();
    let wake = |queue: &mut Queue<_, _>, at| {
        let wake = queue.wake(at, &name)?;
        Some((wake.at, wake.why, wake.task.to_string()))
    };
    let queue = &mut bench.queue;
    assert_eq!(wake(queue, s(0)), None);
    for task in ["a", "b"] {
        queue.enqueue(s(0), &name, &Task::new(id(task))).unwrap();
    }
    assert_eq!(
        wake(queue, s(0)),
        None,
        "what is visible waits for a call, not for time"
    );
    let a = queue.poll(s(0), &name, "w").unwrap();
    queue.poll(s(1), &name, "w").unwrap();
    assert_eq!(
        wake(queue, s(1)),
        Some((s(30), Why::LeaseOver, "a".to_string()))
    );
    let later = TaskError {
        retry_after: Duration::from_secs(5),
        ..TaskError::default()
    };
    queue.fail(s(2), &a.id(), &later).unwrap();
    assert_eq!(
        wake(queue, s(2)),
        Some((s(7), Why::RetryDue, "a".to_string()))
    );
    assert_eq!(
        wake(queue, s(7)),
        Some((s(31), Why::LeaseOver, "b".to_string()))
    );
    assert_eq!(wake(queue, s(31)), None);
    let text = queue
        .poll(s(40), &QueueName::new("other").unwrap(), "w")
        .unwrap_err()
        .to_string();
    assert!(
        text.starts_with("no task: nothing is visible, and only"),
        "{text}"
    );
}

/// Names and payloads have limits, each refused with the value, and nothing is kept.
#[test]
fn limits_are_refused_and_nothing_changes() {
    assert!(TaskId::new("").is_err() && TaskId::new("x".repeat(257)).is_err());
    assert!(TaskId::new("x".repeat(256)).is_ok() && TaskId::new("é").is_ok());
    assert!(
        QueueName::new("x".repeat(129))
            .unwrap_err()
            .to_string()
            .contains("129")
    );
    let mut bench = bench(3);
    let name = bench.name.clone();
    let big = Task {
        payload: vec![0; 256 * 1024 + 1].into(),
        ..Task::new(id("a"))
    };
    let refused = bench
        .queue
        .enqueue(s(0), &name, &big)
        .unwrap_err()
        .to_string();
    assert!(
        refused.contains("262145") && refused.contains("262144"),
        "{refused}"
    );
    assert_eq!(bench.queue.depth(s(0), &name), Default::default());
    assert!(bench.queue.log().entries().is_empty());
}

/// Zero means the default, resolved when the task is enqueued.
#[test]
fn zeros_are_defaults() {
    let defaults = Options {
        visibility: Duration::ZERO,
        max_attempts: 0,
    }
    .resolved();
    assert_eq!(
        (defaults.visibility, defaults.max_attempts),
        (Duration::from_secs(30), 5)
    );
}
