//! "Everything a scenario can hold": a scenario of Fencepost as a test.
//!
//! Its source: "a test's".
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

/// One call: at in ms, who, queue, call, outcome in a table's words.
type Line = (u64, &'static str, &'static str, Call, &'static str);

#[test]
fn everything() {
    let options = Options {
        visibility: Duration::from_millis(30_000),
        max_attempts: 2,
    };
    let name = QueueName::new(QUEUE).expect("a queue's name");
    let mut bench = Bench::new(name, Chapter, options);
    for (millis, by, queue, call, expected) in calls() {
        let at = Timestamp::from_millis(millis);
        let queue = QueueName::new(queue).expect("a queue's name");
        let answer = call.carry_out_in(&mut bench, &queue, at, by);
        let outcome = answer.outcome.to_string();
        assert_eq!(outcome, expected, "{by} at {at} s: {call}");
    }
}

#[rustfmt::skip]
fn calls() -> Vec<Line> {
    vec![
        (0, "producer", "data", enqueue_with("a", "resize photo 7", 0, 0), "added"),
        (0, "producer", "data", enqueue("a"), "already held, visible"),
        (0, "producer", "mail", enqueue_with("m", "", 1, 1_500), "added"),
        (0, "worker 1", "data", Call::Poll, "a, attempt 1, token 1, deadline 30"),
        (500, "worker 2", "data", long_poll(20_000), "waits"),
        (1_000, "worker 2", "data", Call::PollReturns, "waits"),
        (1_000, "producer", "data", enqueue("b"), "added"),
        (1_000, "worker 2", "data", Call::PollReturns, "b, attempt 1, token 2, deadline 31"),
        (1_000, "worker 2", "data", complete("b", 2), "ok, b leaves"),
        (2_000, "worker 3", "mail", Call::Poll, "m, attempt 1, token 3, deadline 3.5"),
        (2_000, "worker 3", "mail", check("m", 3), "live"),
        (3_500, "worker 3", "mail", check("m", 3), "LeaseLost"),
        (3_500, "operator", "mail", Call::DeadLetters, "m, 1 attempt, at 3.5"),
        (3_500, "operator", "mail", redrive(&["m", "unknown"]), "NotFound"),
        (3_500, "operator", "mail", redrive(&["m"]), "1 redriven"),
        (3_500, "operator", "mail", Call::Depth, "1 visible, 0 delayed, 0 leased, 0 dead"),
        (20_000, "worker 1", "data", heartbeat("a", 1, "half of it"), "ok, deadline 50"),
        (20_000, "operator", "data", Call::BreakLog, "from now on"),
        (20_000, "worker 1", "data", complete("a", 1), "refused: log full: it holds 9 records and takes no more; nothing changed, make room and call again"),
        (20_000, "producer", "data", enqueue("c"), "refused: log full: it holds 9 records and takes no more; nothing changed, make room and call again"),
        (20_000, "operator", "data", Call::MendLog, "from now on"),
        (20_000, "operator", "data", Call::Reopen, "open again"),
        (20_000, "operator", "data", Call::Depth, "0 visible, 0 delayed, 1 leased, 0 dead"),
        (50_000, "worker 2", "data", Call::Poll, "a, attempt 2, token 4, deadline 80"),
        (50_000, "worker 1", "data", complete("a", 1), "LeaseLost"),
        (50_000, "worker 2", "data", fail("a", 4, "no space left", 5_000), "DeadLettered"),
        (50_000, "operator", "data", Call::DeadLetters, "a, 2 attempts, at 50"),
        (50_000, "operator", "data", redrive(&[]), "1 redriven"),
        (50_000, "worker 2", "data", long_poll(0), "a, attempt 1, token 5, deadline 80"),
        (50_000, "worker 1", "data", complete("a", 5), "ok, a leaves"),
        (51_000, "producer", "data", enqueue("d"), "added"),
        (51_000, "worker 1", "data", Call::Poll, "d, attempt 1, token 6, deadline 81"),
        (51_000, "worker 1", "data", fail("d", 6, "busy", 250), "Retrying, visible at 51.25"),
        (51_000, "worker 1", "data", Call::Poll, "NoTask"),
        (51_250, "worker 1", "data", Call::Poll, "d, attempt 2, token 7, deadline 81.25"),
        (51_250, "worker 1", "data", fail_for_good("d", 7, "bad input"), "Dropped"),
        (51_250, "operator", "data", Call::Depth, "0 visible, 0 delayed, 0 leased, 0 dead"),
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

/// Its own max attempts and visibility in ms; 0 is the queue's default.
fn enqueue_with(task: &str, payload: &str, max_attempts: u32, visibility: u64) -> Call {
    Call::Enqueue {
        task: id(task),
        payload: payload.into(),
        max_attempts,
        visibility: Duration::from_millis(visibility),
    }
}

fn long_poll(wait: u64) -> Call {
    let wait = Duration::from_millis(wait);
    Call::LongPoll { wait }
}

fn check(task: &str, token: u64) -> Call {
    let (task, token) = (id(task), Token(token));
    Call::Check { task, token }
}

fn heartbeat(task: &str, token: u64, details: &str) -> Call {
    Call::Heartbeat {
        task: id(task),
        token: Token(token),
        details: details.into(),
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

fn fail_for_good(task: &str, token: u64, error: &str) -> Call {
    Call::Fail {
        task: id(task),
        token: Token(token),
        error: error.into(),
        non_retryable: true,
        retry_after: Duration::ZERO,
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
