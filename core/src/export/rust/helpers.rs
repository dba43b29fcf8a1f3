//! The small functions that an exported Rust test may need, as source text.
//!
//! It knows one way to write each call shortly. It deliberately does not know which are used.

/// The functions that shorten the table, each written only where it is used.
pub(super) const HELPERS: &[(&str, &str)] = &[
    (
        "enqueue",
        "fn enqueue(task: &str) -> Call {
    Call::Enqueue {
        task: id(task),
        payload: String::new(),
        max_attempts: 0,
        visibility: Duration::ZERO,
    }
}
",
    ),
    (
        "enqueue_with",
        "/// Its own max attempts and visibility in ms; 0 is the queue's default.
fn enqueue_with(task: &str, payload: &str, max_attempts: u32, visibility: u64) -> Call {
    Call::Enqueue {
        task: id(task),
        payload: payload.into(),
        max_attempts,
        visibility: Duration::from_millis(visibility),
    }
}
",
    ),
    (
        "long_poll",
        "fn long_poll(wait: u64) -> Call {
    let wait = Duration::from_millis(wait);
    Call::LongPoll { wait }
}
",
    ),
    (
        "check",
        "fn check(task: &str, token: u64) -> Call {
    let (task, token) = (id(task), Token(token));
    Call::Check { task, token }
}
",
    ),
    (
        "heartbeat",
        "fn heartbeat(task: &str, token: u64, details: &str) -> Call {
    Call::Heartbeat {
        task: id(task),
        token: Token(token),
        details: details.into(),
    }
}
",
    ),
    (
        "complete",
        "fn complete(task: &str, token: u64) -> Call {
    let (task, token) = (id(task), Token(token));
    Call::Complete { task, token }
}
",
    ),
    (
        "fail",
        "fn fail(task: &str, token: u64, error: &str, retry_after: u64) -> Call {
    Call::Fail {
        task: id(task),
        token: Token(token),
        error: error.into(),
        non_retryable: false,
        retry_after: Duration::from_millis(retry_after),
    }
}
",
    ),
    (
        "fail_for_good",
        "fn fail_for_good(task: &str, token: u64, error: &str) -> Call {
    Call::Fail {
        task: id(task),
        token: Token(token),
        error: error.into(),
        non_retryable: true,
        retry_after: Duration::ZERO,
    }
}
",
    ),
    (
        "redrive",
        "/// No task is all of them.
fn redrive(tasks: &[&str]) -> Call {
    let tasks = tasks.iter().map(|task| id(task)).collect();
    Call::Redrive { tasks }
}
",
    ),
    (
        "id",
        "fn id(task: &str) -> TaskId {
    TaskId::new(task).expect(\"a task's id\")
}
",
    ),
];
