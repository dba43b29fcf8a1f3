//! "Hostile \"text\" \\ */ </script> | \n \u{2028} \u{202e} {0}": a scenario of Fencepost as a test.
//!
//! Its source: "x\r\n*/ // `<!--` é |".
//! It knows each call, and what a queue by the chapter's rules answers. It deliberately does not
//! know why: the chapter says that.

use core::time::Duration;
use fencepost_core::bench::Bench;
use fencepost_core::call::Call;
use fencepost_core::rules::Chapter;
use fencepost_core::task::{Options, QueueName, TaskId, Token};
use fencepost_core::time::Timestamp;

/// The queue that the test opens.
const QUEUE: &str = "q\"|</script>\\\n";

/// One call: at in ms, who, queue, call, outcome in a table's words.
type Line = (u64, &'static str, &'static str, Call, &'static str);

#[test]
fn hostile() {
    let options = Options {
        visibility: Duration::from_millis(30_000),
        max_attempts: 1,
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
        (0, "pro\"ducer\n|", "q\"|</script>\\\n", enqueue_with("a\"b", "payload of a\"b", 0, 0), "added"),
        (0, "pro\"ducer\n|", "q\"|</script>\\\n", enqueue_with("back\\slash\\", "payload of back\\slash\\", 0, 0), "added"),
        (0, "pro\"ducer\n|", "q\"|</script>\\\n", enqueue_with("two\nlines\r\n", "payload of two\nlines\r\n", 0, 0), "added"),
        (0, "pro\"ducer\n|", "q\"|</script>\\\n", enqueue_with("pipe|cell", "payload of pipe|cell", 0, 0), "added"),
        (0, "pro\"ducer\n|", "q\"|</script>\\\n", enqueue_with("é 漢字 🦀 हिन्दी", "payload of é 漢字 🦀 हिन्दी", 0, 0), "added"),
        (0, "pro\"ducer\n|", "q\"|</script>\\\n", enqueue_with("*/ /* // */", "payload of */ /* // */", 0, 0), "added"),
        (0, "pro\"ducer\n|", "q\"|</script>\\\n", enqueue_with("</script><!-- & <b>", "payload of </script><!-- & <b>", 0, 0), "added"),
        (0, "pro\"ducer\n|", "q\"|</script>\\\n", enqueue_with("\u{202e}abc\u{2028}\u{2029}\u{feff}", "payload of \u{202e}abc\u{2028}\u{2029}\u{feff}", 0, 0), "added"),
        (0, "pro\"ducer\n|", "q\"|</script>\\\n", enqueue_with("\u{0}\u{7}\u{1b}[31m\u{7f}", "payload of \u{0}\u{7}\u{1b}[31m\u{7f}", 0, 0), "added"),
        (0, "pro\"ducer\n|", "q\"|</script>\\\n", enqueue_with("'`${1}`'", "payload of '`${1}`'", 0, 0), "added"),
        (0, "pro\"ducer\n|", "q\"|</script>\\\n", enqueue_with("{by} %s $& {0}", "payload of {by} %s $& {0}", 0, 0), "added"),
        (0, "pro\"ducer\n|", "q\"|</script>\\\n", enqueue_with("__proto__", "payload of __proto__", 0, 0), "added"),
        (0, "pro\"ducer\n|", "q\"|</script>\\\n", enqueue_with(" ", "payload of  ", 0, 0), "added"),
        (0, "pro\"ducer\n|", "q\"|</script>\\\n", enqueue_with("\\u{41}\\x41\\n", "payload of \\u{41}\\x41\\n", 0, 0), "added"),
        (0, "pro\"ducer\n|", "q\"|</script>\\\n", enqueue_with("> ENQ x", "payload of > ENQ x", 0, 0), "added"),
        (0, "pro\"ducer\n|", "q\"|</script>\\\n", enqueue_with("# _*[~]*_", "payload of # _*[~]*_", 0, 0), "added"),
        (0, "pro\"ducer\n|", "q\"|</script>\\\n", enqueue_with("́e", "payload of ́e", 0, 0), "added"),
        (0, "__proto__", "q\"|</script>\\\n", enqueue("x</script>"), "added"),
        (0, "w\n> DEQ", "q\"|</script>\\\n", Call::Poll, "a\"b, attempt 1, token 1, deadline 30"),
        (0, "w\n> DEQ", "q\"|</script>\\\n", heartbeat("a\"b", 1, "details of a\"b"), "ok, deadline 30"),
        (0, "w\n> DEQ", "q\"|</script>\\\n", fail("a\"b", 1, "error of a\"b", 1_000), "DeadLettered"),
        (10, "</script>", "q\"|</script>\\\n", Call::Poll, "back\\slash\\, attempt 1, token 2, deadline 30.01"),
        (10, "</script>", "q\"|</script>\\\n", heartbeat("back\\slash\\", 2, "details of back\\slash\\"), "ok, deadline 30.01"),
        (10, "</script>", "q\"|</script>\\\n", complete("back\\slash\\", 2), "ok, back\\slash\\ leaves"),
        (20, "*/", "q\"|</script>\\\n", Call::Poll, "two\nlines\r\n, attempt 1, token 3, deadline 30.02"),
        (20, "*/", "q\"|</script>\\\n", heartbeat("two\nlines\r\n", 3, "details of two\nlines\r\n"), "ok, deadline 30.02"),
        (20, "*/", "q\"|</script>\\\n", fail("two\nlines\r\n", 3, "error of two\nlines\r\n", 1_000), "DeadLettered"),
        (30, "`|\\", "q\"|</script>\\\n", Call::Poll, "pipe|cell, attempt 1, token 4, deadline 30.03"),
        (30, "`|\\", "q\"|</script>\\\n", heartbeat("pipe|cell", 4, "details of pipe|cell"), "ok, deadline 30.03"),
        (30, "`|\\", "q\"|</script>\\\n", complete("pipe|cell", 4), "ok, pipe|cell leaves"),
        (40, "w\n> DEQ", "q\"|</script>\\\n", Call::Poll, "é 漢字 🦀 हिन्दी, attempt 1, token 5, deadline 30.04"),
        (40, "w\n> DEQ", "q\"|</script>\\\n", heartbeat("é 漢字 🦀 हिन्दी", 5, "details of é 漢字 🦀 हिन्दी"), "ok, deadline 30.04"),
        (40, "w\n> DEQ", "q\"|</script>\\\n", fail("é 漢字 🦀 हिन्दी", 5, "error of é 漢字 🦀 हिन्दी", 1_000), "DeadLettered"),
        (50, "</script>", "q\"|</script>\\\n", Call::Poll, "*/ /* // */, attempt 1, token 6, deadline 30.05"),
        (50, "</script>", "q\"|</script>\\\n", heartbeat("*/ /* // */", 6, "details of */ /* // */"), "ok, deadline 30.05"),
        (50, "</script>", "q\"|</script>\\\n", complete("*/ /* // */", 6), "ok, */ /* // */ leaves"),
        (60, "*/", "q\"|</script>\\\n", Call::Poll, "</script><!-- & <b>, attempt 1, token 7, deadline 30.06"),
        (60, "*/", "q\"|</script>\\\n", heartbeat("</script><!-- & <b>", 7, "details of </script><!-- & <b>"), "ok, deadline 30.06"),
        (60, "*/", "q\"|</script>\\\n", fail("</script><!-- & <b>", 7, "error of </script><!-- & <b>", 1_000), "DeadLettered"),
        (70, "`|\\", "q\"|</script>\\\n", Call::Poll, "\u{202e}abc\u{2028}\u{2029}\u{feff}, attempt 1, token 8, deadline 30.07"),
        (70, "`|\\", "q\"|</script>\\\n", heartbeat("\u{202e}abc\u{2028}\u{2029}\u{feff}", 8, "details of \u{202e}abc\u{2028}\u{2029}\u{feff}"), "ok, deadline 30.07"),
        (70, "`|\\", "q\"|</script>\\\n", complete("\u{202e}abc\u{2028}\u{2029}\u{feff}", 8), "ok, \u{202e}abc\u{2028}\u{2029}\u{feff} leaves"),
        (80, "w\n> DEQ", "q\"|</script>\\\n", Call::Poll, "\u{0}\u{7}\u{1b}[31m\u{7f}, attempt 1, token 9, deadline 30.08"),
        (80, "w\n> DEQ", "q\"|</script>\\\n", heartbeat("\u{0}\u{7}\u{1b}[31m\u{7f}", 9, "details of \u{0}\u{7}\u{1b}[31m\u{7f}"), "ok, deadline 30.08"),
        (80, "w\n> DEQ", "q\"|</script>\\\n", fail("\u{0}\u{7}\u{1b}[31m\u{7f}", 9, "error of \u{0}\u{7}\u{1b}[31m\u{7f}", 1_000), "DeadLettered"),
        (90, "</script>", "q\"|</script>\\\n", Call::Poll, "'`${1}`', attempt 1, token 10, deadline 30.09"),
        (90, "</script>", "q\"|</script>\\\n", heartbeat("'`${1}`'", 10, "details of '`${1}`'"), "ok, deadline 30.09"),
        (90, "</script>", "q\"|</script>\\\n", complete("'`${1}`'", 10), "ok, '`${1}`' leaves"),
        (100, "*/", "q\"|</script>\\\n", Call::Poll, "{by} %s $& {0}, attempt 1, token 11, deadline 30.1"),
        (100, "*/", "q\"|</script>\\\n", heartbeat("{by} %s $& {0}", 11, "details of {by} %s $& {0}"), "ok, deadline 30.1"),
        (100, "*/", "q\"|</script>\\\n", fail("{by} %s $& {0}", 11, "error of {by} %s $& {0}", 1_000), "DeadLettered"),
        (110, "`|\\", "q\"|</script>\\\n", Call::Poll, "__proto__, attempt 1, token 12, deadline 30.11"),
        (110, "`|\\", "q\"|</script>\\\n", heartbeat("__proto__", 12, "details of __proto__"), "ok, deadline 30.11"),
        (110, "`|\\", "q\"|</script>\\\n", complete("__proto__", 12), "ok, __proto__ leaves"),
        (120, "w\n> DEQ", "q\"|</script>\\\n", Call::Poll, " , attempt 1, token 13, deadline 30.12"),
        (120, "w\n> DEQ", "q\"|</script>\\\n", heartbeat(" ", 13, "details of  "), "ok, deadline 30.12"),
        (120, "w\n> DEQ", "q\"|</script>\\\n", fail(" ", 13, "error of  ", 1_000), "DeadLettered"),
        (130, "</script>", "q\"|</script>\\\n", Call::Poll, "\\u{41}\\x41\\n, attempt 1, token 14, deadline 30.13"),
        (130, "</script>", "q\"|</script>\\\n", heartbeat("\\u{41}\\x41\\n", 14, "details of \\u{41}\\x41\\n"), "ok, deadline 30.13"),
        (130, "</script>", "q\"|</script>\\\n", complete("\\u{41}\\x41\\n", 14), "ok, \\u{41}\\x41\\n leaves"),
        (140, "*/", "q\"|</script>\\\n", Call::Poll, "> ENQ x, attempt 1, token 15, deadline 30.14"),
        (140, "*/", "q\"|</script>\\\n", heartbeat("> ENQ x", 15, "details of > ENQ x"), "ok, deadline 30.14"),
        (140, "*/", "q\"|</script>\\\n", fail("> ENQ x", 15, "error of > ENQ x", 1_000), "DeadLettered"),
        (150, "`|\\", "q\"|</script>\\\n", Call::Poll, "# _*[~]*_, attempt 1, token 16, deadline 30.15"),
        (150, "`|\\", "q\"|</script>\\\n", heartbeat("# _*[~]*_", 16, "details of # _*[~]*_"), "ok, deadline 30.15"),
        (150, "`|\\", "q\"|</script>\\\n", complete("# _*[~]*_", 16), "ok, # _*[~]*_ leaves"),
        (160, "w\n> DEQ", "q\"|</script>\\\n", Call::Poll, "́e, attempt 1, token 17, deadline 30.16"),
        (160, "w\n> DEQ", "q\"|</script>\\\n", heartbeat("́e", 17, "details of ́e"), "ok, deadline 30.16"),
        (160, "w\n> DEQ", "q\"|</script>\\\n", fail("́e", 17, "error of ́e", 1_000), "DeadLettered"),
        (170, "</script>", "q\"|</script>\\\n", Call::Poll, "x</script>, attempt 1, token 18, deadline 30.17"),
        (170, "</script>", "q\"|</script>\\\n", heartbeat("x</script>", 18, "details of x</script>"), "ok, deadline 30.17"),
        (170, "</script>", "q\"|</script>\\\n", complete("x</script>", 18), "ok, x</script> leaves"),
        (2_000, "w|\\", "q\"|</script>\\\n", Call::DeadLetters, "a\"b, 1 attempt, at 0; two\nlines\r\n, 1 attempt, at 0.02; é 漢字 🦀 हिन्दी, 1 attempt, at 0.04; </script><!-- & <b>, 1 attempt, at 0.06; \u{0}\u{7}\u{1b}[31m\u{7f}, 1 attempt, at 0.08; {by} %s $& {0}, 1 attempt, at 0.1;  , 1 attempt, at 0.12; > ENQ x, 1 attempt, at 0.14; ́e, 1 attempt, at 0.16"),
        (2_000, "w|\\", "q\"|</script>\\\n", Call::Depth, "0 visible, 0 delayed, 0 leased, 9 dead"),
        (2_000, "w|\\", "q\"|</script>\\\n", redrive(&["a\"b", "two\nlines\r\n"]), "2 redriven"),
        (2_000, "</script>", "q\"|</script>\\\n", Call::Poll, "a\"b, attempt 1, token 19, deadline 32"),
        (2_000, "</script>", "q\"|</script>\\\n", complete("a\"b", 19), "ok, a\"b leaves"),
        (2_000, "w", "q\"|</script>\\\n", redrive(&["no\nsuch\"task"]), "NotFound"),
        (2_000, "w", "other|\n</script>\"queue", Call::Poll, "NoTask"),
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

/// No task is all of them.
fn redrive(tasks: &[&str]) -> Call {
    let tasks = tasks.iter().map(|task| id(task)).collect();
    Call::Redrive { tasks }
}

fn id(task: &str) -> TaskId {
    TaskId::new(task).expect("a task's id")
}
