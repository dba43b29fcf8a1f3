//! "The worked example, by hand": a scenario of Fencepost as a test.
//!
//! Its source: "queue chapter, section 3".
//! It knows each call, and what a queue by the chapter's rules answers. It deliberately does not
//! know why: the chapter says that.

use core::time::Duration;
use fencepost_core::bench::Bench;
use fencepost_core::call::Call;
use fencepost_core::rules::Chapter;
use fencepost_core::task::{Options, QueueName, TaskId, Token};
use fencepost_core::time::Timestamp;

/// The queue that the test opens.
const QUEUE: &str = "data";

/// One call: at in ms, who, call, outcome in a table's words.
type Line = (u64, &'static str, Call, &'static str);

#[test]
fn section_3() {
    let options = Options {
        visibility: Duration::from_millis(30_000),
        max_attempts: 3,
    };
    let name = QueueName::new(QUEUE).expect("a queue's name");
    let mut bench = Bench::new(name, Chapter, options);
    for (millis, by, call, expected) in calls() {
        let at = Timestamp::from_millis(millis);
        let answer = call.carry_out(&mut bench, at, by);
        let outcome = answer.outcome.to_string();
        assert_eq!(outcome, expected, "{by} at {at} s: {call}");
    }
}

#[rustfmt::skip]
fn calls() -> Vec<Line> {
    vec![
        (0, "producer", enqueue("a"), "added"),
        (0, "producer", enqueue("b"), "added"),
        (0, "worker 1", Call::Poll, "a, attempt 1, token 1, deadline 30"),
        (0, "worker 2", Call::Poll, "b, attempt 1, token 2, deadline 30"),
        (0, "worker 2", complete("b", 2), "ok, b leaves"),
        (10_000, "worker 1", fail("a", 1, "no answer from the mail host", 5_000), "Retrying, visible at 15"),
        (10_000, "worker 2", Call::Poll, "NoTask"),
        (15_000, "worker 2", Call::Poll, "a, attempt 2, token 3, deadline 45"),
        (45_000, "worker 3", Call::Poll, "a, attempt 3, token 4, deadline 75"),
        (45_000, "worker 2", complete("a", 3), "LeaseLost"),
        (75_000, "worker 1", Call::Poll, "NoTask"),
        (75_000, "operator", Call::DeadLetters, "a, 3 attempts, at 75"),
        (75_000, "operator", redrive(&[]), "1 redriven"),
        (75_000, "worker 1", Call::Poll, "a, attempt 1, token 5, deadline 105"),
    ]
}

fn enqueue(task: &str) -> Call {
    Call::Enqueue {
        task: id(task),
        payload: String::new(),
        max_attempts: 0,
        visibility: Duration::ZERO,
    }
}

fn complete(task: &str, token: u64) -> Call {
    let (task, token) = (id(task), Token(token));
    Call::Complete { task, token }
}

fn fail(task: &str, token: u64, error: &str, retry_after: u64) -> Call {
    Call::Fail {
        task: id(task),
        token: Token(token),
        error: error.into(),
        non_retryable: false,
        retry_after: Duration::from_millis(retry_after),
    }
}

/// No task is all of them.
fn redrive(tasks: &[&str]) -> Call {
    let tasks = tasks.iter().map(|task| id(task)).collect();
    Call::Redrive { tasks }
}

fn id(task: &str) -> TaskId {
    TaskId::new(task).expect("a task's id")
}
