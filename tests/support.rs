//! What the tests share: a queue on a bench, called in a table's words.
//!
//! It knows how to write calls shortly. It deliberately knows no expected result: those are in the tests.

pub mod chapter;
pub mod naive;
pub mod waiting;

pub use fencepost_core::sim::dice::Dice;

use fencepost_core::bench::Bench;
use fencepost_core::call::{Call, Outcome};
use fencepost_core::rules::{Chapter, Rules};
use fencepost_core::scenario::{Planned, Row, Scenario};
use fencepost_core::task::{Options, QueueName, TaskId, Token};
use fencepost_core::time::Timestamp;
use std::time::Duration;

/// A task id.
pub fn id(text: &str) -> TaskId {
    TaskId::new(text).expect("a test's id is short")
}

/// An instant in seconds.
pub fn s(secs: u64) -> Timestamp {
    Timestamp::from_secs(secs)
}

/// A queue with V = 30 s that retries so often.
pub fn bench(max_attempts: u32) -> Bench<Chapter> {
    bench_with(Chapter, max_attempts)
}

/// The same by other rules.
pub fn bench_with<R: Rules + Clone>(rules: R, max_attempts: u32) -> Bench<R> {
    let options = Options {
        visibility: Duration::from_secs(30),
        max_attempts,
    };
    Bench::new(
        QueueName::new("data").expect("a short name"),
        rules,
        options,
    )
}

/// Calls, as worker `w`, and gives the outcome in a table's words.
pub fn call<R: Rules + Clone>(bench: &mut Bench<R>, at: Timestamp, call: Call) -> String {
    outcome(bench, at, call).to_string()
}

/// Calls, as worker `w`.
pub fn outcome<R: Rules + Clone>(bench: &mut Bench<R>, at: Timestamp, call: Call) -> Outcome {
    call.carry_out(bench, at, "w").outcome
}

/// `Enqueue(task)` with the defaults.
pub fn enqueue(task: &str) -> Call {
    Call::Enqueue {
        task: id(task),
        payload: String::new(),
        max_attempts: 0,
        visibility: Duration::ZERO,
    }
}

/// `Enqueue(task)` with its own visibility timeout, in seconds, and its own max attempts; 0 is the default.
pub fn enqueue_own(task: &str, visibility_secs: u64, max_attempts: u32) -> Call {
    let visibility = Duration::from_secs(visibility_secs);
    Call::Enqueue {
        task: id(task),
        payload: String::new(),
        max_attempts,
        visibility,
    }
}

/// `Check(task, token)`.
pub fn check(task: &str, token: u64) -> Call {
    Call::Check {
        task: id(task),
        token: Token(token),
    }
}

/// `Heartbeat(task, token)` with details.
pub fn heartbeat(task: &str, token: u64, details: &str) -> Call {
    Call::Heartbeat {
        task: id(task),
        token: Token(token),
        details: details.into(),
    }
}

/// `Complete(task, token)`.
pub fn complete(task: &str, token: u64) -> Call {
    Call::Complete {
        task: id(task),
        token: Token(token),
    }
}

/// `Fail(task, token)` with a retry after so many seconds.
pub fn fail(task: &str, token: u64, retry_after_secs: u64) -> Call {
    Call::Fail {
        task: id(task),
        token: Token(token),
        error: "boom".into(),
        non_retryable: false,
        retry_after: Duration::from_secs(retry_after_secs),
    }
}

/// `Fail(task, token)` that no retry can help.
pub fn drop_it(task: &str, token: u64) -> Call {
    Call::Fail {
        task: id(task),
        token: Token(token),
        error: "bad input".into(),
        non_retryable: true,
        retry_after: Duration::ZERO,
    }
}

/// `Redrive(tasks)`; no task is all.
pub fn redrive(tasks: &[&str]) -> Call {
    Call::Redrive {
        tasks: tasks.iter().map(|task| id(task)).collect(),
    }
}

/// Carries out a table, `(at in ms, call, outcome in a table's words)`, row for row.
pub fn check_table<R: Rules + Clone>(bench: &mut Bench<R>, table: &[(u64, Call, &str)]) {
    for (row, (millis, planned, expected)) in table.iter().enumerate() {
        let answered = call(bench, Timestamp::from_millis(*millis), planned.clone());
        assert_eq!(
            answered,
            *expected,
            "row {}: at {millis} ms {planned}",
            row + 1
        );
    }
}

/// A scenario out of nothing but calls by one worker, one a row.
pub fn scenario(calls: Vec<(Timestamp, Call)>) -> Scenario {
    let row = |(at, call)| Row {
        at,
        calls: vec![Planned::new("w", call)],
    };
    Scenario {
        format: fencepost_core::scenario::FORMAT.into(),
        version: fencepost_core::scenario::VERSION,
        title: "a test's".into(),
        source: String::new(),
        queue: QueueName::new("data").expect("a short name"),
        visibility: Duration::from_secs(30),
        max_attempts: 3,
        setup: Vec::new(),
        rows: calls.into_iter().map(row).collect(),
        goals: Vec::new(),
        seal: None,
    }
}
