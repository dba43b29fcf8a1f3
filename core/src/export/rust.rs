//! A scenario as a test in Rust: one file that needs nothing but this crate.
//!
//! It knows how a call is written in Rust. What it writes is as rustfmt wants it, whatever the scenario
//! holds: the table of calls asks to be left as it is. It deliberately knows no queue.

mod helpers;

use self::helpers::HELPERS;
use super::text::{grouped, quoted};
use super::{Played, play};
use crate::call::Call;
use crate::scenario::Scenario;
use crate::time::millis_up;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::time::Duration;

/// So many calls stand in one function: a longer one needs too much stack where it is not optimised.
const CALLS_A_FUNCTION: usize = 500;
/// The longest name of the test.
const NAME_CHARS_MAX: usize = 60;
/// Names that the file uses already, or that Rust does not give away.
const TAKEN: &[&str] = &[
    "abstract",
    "as",
    "async",
    "await",
    "become",
    "box",
    "break",
    "calls",
    "check",
    "complete",
    "const",
    "continue",
    "crate",
    "do",
    "dyn",
    "else",
    "enqueue",
    "enqueue_with",
    "enum",
    "extern",
    "fail",
    "fail_for_good",
    "false",
    "final",
    "fn",
    "for",
    "gen",
    "heartbeat",
    "id",
    "if",
    "impl",
    "in",
    "let",
    "long_poll",
    "loop",
    "macro",
    "main",
    "match",
    "mod",
    "move",
    "mut",
    "override",
    "priv",
    "pub",
    "redrive",
    "ref",
    "return",
    "self",
    "static",
    "struct",
    "super",
    "trait",
    "true",
    "try",
    "type",
    "typeof",
    "unsafe",
    "unsized",
    "use",
    "virtual",
    "where",
    "while",
    "yield",
];

/// The scenario as a whole Rust file with one test of this name, made fit for Rust. It drives a
/// [`Bench`](crate::bench::Bench) and asserts every outcome in a table's words.
pub fn rust_test(scenario: &Scenario, name: &str) -> String {
    let played = play(scenario);
    let other_queues = !scenario.other_queues().is_empty();
    let mut used = BTreeSet::new();
    let rows: Vec<String> = played
        .iter()
        .map(|one| row(one, other_queues, &mut used))
        .collect();
    let mut file = heading(scenario, &used);
    file.push_str(&test(&fit_name(name), scenario, other_queues));
    file.push_str(&table(&rows));
    for (helper, source) in HELPERS {
        if used.contains(helper) {
            file.push_str(&format!("\n{source}"));
        }
    }
    file
}

fn heading(scenario: &Scenario, used: &BTreeSet<&str>) -> String {
    let source = if scenario.source.is_empty() {
        "Its source is not named.".into()
    } else {
        format!("Its source: {}.", quoted(&scenario.source))
    };
    let mut names: Vec<&str> = ["Options", "QueueName"].into();
    if used.contains("id") {
        names.push("TaskId");
    }
    if used.contains("token") {
        names.push("Token");
    }
    format!(
        "//! {}: a scenario of Fencepost as a test.\n\
         //!\n\
         //! {source}\n\
         //! It knows each call, and what a queue by the chapter's rules answers. It deliberately does not\n\
         //! know why: the chapter says that.\n\
         \n\
         use core::time::Duration;\n\
         use fencepost_core::bench::Bench;\n\
         use fencepost_core::call::Call;\n\
         use fencepost_core::rules::Chapter;\n\
         use fencepost_core::task::{{{}}};\n\
         use fencepost_core::time::Timestamp;\n\n",
        quoted(&scenario.title),
        names.join(", "),
    )
}

fn test(name: &str, scenario: &Scenario, other_queues: bool) -> String {
    let options = scenario.options().resolved();
    let queue = quoted(scenario.queue.as_str());
    let skip = if queue.len() > 60 {
        "#[rustfmt::skip]\n"
    } else {
        ""
    };
    let (columns, kind, carry_out) = if other_queues {
        (
            "at in ms, who, queue, call, outcome in a table's words",
            "(u64, &'static str, &'static str, Call, &'static str)",
            "    for (millis, by, queue, call, expected) in calls() {\n        \
             let at = Timestamp::from_millis(millis);\n        \
             let queue = QueueName::new(queue).expect(\"a queue's name\");\n        \
             let answer = call.carry_out_in(&mut bench, &queue, at, by);\n",
        )
    } else {
        (
            "at in ms, who, call, outcome in a table's words",
            "(u64, &'static str, Call, &'static str)",
            "    for (millis, by, call, expected) in calls() {\n        \
             let at = Timestamp::from_millis(millis);\n        \
             let answer = call.carry_out(&mut bench, at, by);\n",
        )
    };
    format!(
        "/// The queue that the test opens.\n\
         {skip}const QUEUE: &str = {queue};\n\n\
         /// One call: {columns}.\n\
         type Line = {kind};\n\n\
         #[test]\n\
         fn {name}() {{\n    \
         let options = Options {{\n        \
         visibility: Duration::from_millis({}),\n        \
         max_attempts: {},\n    \
         }};\n    \
         let name = QueueName::new(QUEUE).expect(\"a queue's name\");\n    \
         let mut bench = Bench::new(name, Chapter, options);\n\
         {carry_out}        \
         let outcome = answer.outcome.to_string();\n        \
         assert_eq!(outcome, expected, \"{{by}} at {{at}} s: {{call}}\");\n    \
         }}\n\
         }}\n",
        grouped(millis_up(options.visibility)),
        grouped(options.max_attempts.into()),
    )
}

/// The calls, one a line; in several functions if there are many.
fn table(rows: &[String]) -> String {
    let function = |name: &str, rows: &[String]| {
        format!(
            "\n#[rustfmt::skip]\nfn {name}() -> Vec<Line> {{\n    vec![\n{}    ]\n}}\n",
            rows.concat()
        )
    };
    if rows.len() <= CALLS_A_FUNCTION {
        return function("calls", rows);
    }
    let parts: Vec<String> = (1..=rows.len().div_ceil(CALLS_A_FUNCTION))
        .map(|part| format!("calls_{part}"))
        .collect();
    let mut text = format!(
        "\n#[rustfmt::skip]\nfn calls() -> Vec<Line> {{\n    [{}()].concat()\n}}\n",
        parts.join("(), ")
    );
    for (name, rows) in parts.iter().zip(rows.chunks(CALLS_A_FUNCTION)) {
        text.push_str(&function(name, rows));
    }
    text
}

fn row(one: &Played<'_>, other_queues: bool, used: &mut BTreeSet<&'static str>) -> String {
    let queue = if other_queues {
        format!(" {},", quoted(one.queue.as_str()))
    } else {
        String::new()
    };
    format!(
        "        ({}, {},{queue} {}, {}),\n",
        grouped(one.at.as_millis()),
        quoted(&one.planned.by),
        call(&one.planned.call, used),
        quoted(&one.answer.outcome.to_string()),
    )
}

/// A call as Rust writes it; notes which of the file's helpers it needs.
fn call(call: &Call, used: &mut BTreeSet<&'static str>) -> String {
    let Some((helper, last)) = helper(call) else {
        return format!("Call::{}", bare(call));
    };
    used.insert(helper);
    let mut arguments = Vec::new();
    if let Some(task) = call.task() {
        arguments.push(quoted(task.as_str()));
    }
    if let Some((_, token)) = call.lease() {
        used.insert("token");
        arguments.push(grouped(token.0));
    }
    if !matches!(call, Call::LongPoll { .. }) {
        used.insert("id");
    }
    arguments.extend(last);
    format!("{helper}({})", arguments.join(", "))
}

/// The helper that makes a call, and its arguments after the task and the token; `None`: it needs none.
fn helper(call: &Call) -> Option<(&'static str, Vec<String>)> {
    let millis = |length: &Duration| grouped(millis_up(*length));
    Some(match call {
        Call::Enqueue {
            payload,
            max_attempts: 0,
            visibility,
            ..
        } if payload.is_empty() && visibility.is_zero() => ("enqueue", Vec::new()),
        Call::Enqueue {
            payload,
            max_attempts,
            visibility,
            ..
        } => {
            let attempts = grouped((*max_attempts).into());
            (
                "enqueue_with",
                [quoted(payload), attempts, millis(visibility)].into(),
            )
        }
        Call::LongPoll { wait } => ("long_poll", [millis(wait)].into()),
        Call::Check { .. } => ("check", Vec::new()),
        Call::Heartbeat { details, .. } => ("heartbeat", [quoted(details)].into()),
        Call::Complete { .. } => ("complete", Vec::new()),
        Call::Fail {
            error,
            non_retryable: true,
            ..
        } => ("fail_for_good", [quoted(error)].into()),
        Call::Fail {
            error, retry_after, ..
        } => ("fail", [quoted(error), millis(retry_after)].into()),
        Call::Redrive { tasks } => {
            let ids: Vec<String> = tasks.iter().map(|task| quoted(task.as_str())).collect();
            ("redrive", [format!("&[{}]", ids.join(", "))].into())
        }
        _ => return None,
    })
}

/// The name of a call that has nothing to say but its name.
fn bare(call: &Call) -> &'static str {
    match call {
        Call::PollReturns => "PollReturns",
        Call::DeadLetters => "DeadLetters",
        Call::Depth => "Depth",
        Call::Reopen => "Reopen",
        Call::BreakLog => "BreakLog",
        Call::MendLog => "MendLog",
        _ => "Poll",
    }
}

/// A name that a Rust function can have.
fn fit_name(name: &str) -> String {
    let mut fit = String::new();
    for c in name.chars() {
        match c.to_ascii_lowercase() {
            c if c.is_ascii_alphanumeric() => fit.push(c),
            _ if fit.is_empty() || fit.ends_with('_') => (),
            _ => fit.push('_'),
        }
        if fit.len() >= NAME_CHARS_MAX {
            break;
        }
    }
    let fit = fit.trim_end_matches('_');
    let is_taken = TAKEN.contains(&fit) || fit.starts_with("calls_");
    if is_taken || !fit.starts_with(|c: char| c.is_ascii_lowercase()) {
        format!("scenario_{fit}").trim_end_matches('_').into()
    } else {
        fit.into()
    }
}
