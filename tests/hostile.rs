//! Hostile scenarios: what cannot be one is refused in one clear line.
//!
//! It knows how a text goes wrong: nesting, numbers, types, fields, keys, limits, and in `damage` by chance. It
//! deliberately knows no expected outcome of a call: any will do, as long as nothing panics.

#[path = "hostile/damage.rs"]
mod damage;

use fencepost_core::scenario::{SHELF, Scenario, TEXT_BYTES_MAX};
use serde_json::{Value, json};

/// Why the text is refused: one line, not long, with a way out after its last colon or semicolon.
fn refused(text: &str) -> String {
    let Err(error) = Scenario::parse(text) else {
        panic!("taken: {text:.200}");
    };
    let error = error.to_string();
    let ways_out = [
        "see the format in the README",
        "make the scenario smaller",
        "use the build that made it",
    ];
    assert!(ways_out.iter().any(|way| error.ends_with(way)), "{error}");
    assert!(
        !error.contains(char::is_control) && error.len() < 600,
        "{error:?}"
    );
    error
}

/// Section 3 with one value in another's place, by its JSON pointer; a key that is not there is added.
fn with(pointer: &str, value: Value) -> String {
    let mut whole: Value = serde_json::from_str(SHELF[0].1).expect("it is JSON");
    let (parent, key) = pointer.rsplit_once('/').expect("a pointer has a slash");
    let parent = whole.pointer_mut(parent).expect(pointer);
    match parent {
        Value::Array(list) => list[key.parse::<usize>().expect("an index")] = value,
        parent => parent[key] = value,
    }
    whole.to_string()
}

/// The same with a raw text where the value stands.
fn with_raw(pointer: &str, raw: &str) -> String {
    with(pointer, json!("the raw text")).replacen("\"the raw text\"", raw, 1)
}

fn is_refused_with(text: &str, words: &str) {
    let error = refused(text);
    assert!(error.contains(words), "{error:?} does not say {words:?}");
}

const AT: &str = "/rows/3/at";
const FAIL: &str = "/rows/3/calls/0/call/fail";

#[test]
fn nesting_is_refused_at_any_depth() {
    for depth in [129, 1_000, 30_000, 100_000] {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            let nested = format!("{}0{}", open.repeat(depth), close.repeat(depth));
            refused(&nested);
            refused(&open.repeat(depth));
            for pointer in [AT, "/rows", "/unknown", "/rows/0/calls/0/expect"] {
                refused(&with_raw(pointer, &nested));
            }
        }
    }
    is_refused_with(&"[".repeat(100_000), "at most 65536, here it is 100000");
}

#[test]
fn a_number_that_is_no_whole_millisecond_in_range_is_refused_with_its_value() {
    for (number, words) in [
        ("1e400", "number out of range"),
        ("-1e400", "number out of range"),
        ("18446744073709551616", "1.8446744073709552e"),
        ("18446744073709551615", "18446744073709551615"),
        ("9007199254740992", "9007199254740992"),
        ("1000000001", "at most 1000000000, here it is 1000000001"),
        ("-1", "-1"),
        ("0.5", "0.5"),
        ("1e3", "1000.0"),
        ("1.0", "1.0"),
        ("-0", "-0.0"),
        ("01", "invalid number"),
        ("NaN", "expected"),
        ("0x10", "expected"),
    ] {
        for pointer in [AT, "/visibility", &format!("{FAIL}/retry_after")] {
            is_refused_with(&with_raw(pointer, number), words);
        }
    }
    for pointer in ["/max_attempts", "/rows/0/calls/0/expect/leased/attempt"] {
        is_refused_with(&with_raw(pointer, "4294967296"), "4294967296");
    }
    let token = format!("{FAIL}/token");
    is_refused_with(
        &with_raw(&token, "18446744073709551616"),
        "1.8446744073709552e",
    );
}

/// A field of each kind holds a value of every other kind: each is refused with what was expected.
#[test]
fn a_value_of_another_type_is_refused_in_every_field() {
    let values = [
        json!(null),
        json!(true),
        json!(7),
        json!("7"),
        json!([7]),
        json!({ "a": 7 }),
    ];
    let kinds = ["null", "boolean", "number", "string", "array", "object"];
    let fields = [
        ("/format", "string"),
        ("/version", "number"),
        ("/title", "string"),
        ("/source", "string"),
        ("/queue", "string"),
        ("/visibility", "number"),
        ("/max_attempts", "number"),
        ("/setup", "array"),
        ("/rows", "array"),
        ("/goals", "array"),
        ("/rows/3", "object"),
        (AT, "number"),
        ("/rows/3/calls", "array"),
        ("/rows/3/calls/0", "object"),
        ("/rows/3/calls/0/by", "string"),
        ("/rows/3/calls/0/call", "object"),
        ("/rows/3/calls/0/expect/retrying/visible_at", "number"),
        (FAIL, "object"),
        ("/rows/3/calls/0/call/fail/task", "string"),
        ("/rows/3/calls/0/call/fail/token", "number"),
        ("/rows/3/calls/0/call/fail/error", "string"),
        ("/rows/3/calls/0/call/fail/non_retryable", "boolean"),
        ("/rows/3/calls/0/call/fail/retry_after", "number"),
        ("/rows/9/calls/0/expect/dead_letters", "array"),
        ("/rows/10/calls/0/call/redrive", "object"),
        ("/rows/10/calls/0/expect/redriven", "number"),
        ("/goals/0/text", "string"),
        ("/goals/0/event", "string"),
    ];
    for (field, kind) in fields {
        for (value, other) in values.iter().zip(kinds).filter(|(_, other)| *other != kind) {
            let error = refused(&with(field, value.clone()));
            assert!(
                error.contains("expected") || error.contains("unknown variant"),
                "{field}, {other}: {error}"
            );
        }
    }
}

#[test]
fn an_unknown_field_is_refused_wherever_it_stands() {
    for key in [
        "wait",
        "__proto__",
        "constructor",
        "",
        "Rows",
        "rows ",
        "a\nb",
        "\u{2028}",
    ] {
        for place in [
            "",
            "/rows/0",
            "/rows/0/calls/0",
            FAIL,
            "/rows/0/calls/0/expect/leased",
            "/goals/0",
        ] {
            refused(&with(&format!("{place}/{key}"), json!({})));
        }
    }
    is_refused_with(&with("/queeu", json!("data")), "unknown field `queeu`");
    is_refused_with(
        &with("/__proto__", json!({ "rows": [] })),
        "unknown field `__proto__`",
    );
    // However long it is, its refusal is short.
    refused(&with(&format!("/{}", "漢".repeat(20_000)), json!(1)));
    is_refused_with(
        &with("/rows/0/calls/0/call", json!("steal")),
        "unknown variant `steal`",
    );
    is_refused_with(&with("/rows/0/calls/0/call", json!("fail")), "expected");
    is_refused_with(
        &with("/goals/0/event", json!("victory")),
        "unknown variant `victory`",
    );
}

#[test]
fn a_key_that_stands_twice_is_refused() {
    let whole = SHELF[0].1;
    for (once, twice) in [
        ("\"version\": 1,", "\"version\": 1, \"version\": 1,"),
        (
            "\"queue\": \"data\",",
            "\"queue\": \"data\", \"queue\": \"data\",",
        ),
        ("\"at\": 15000,", "\"at\": 15000, \"at\": 15000,"),
        (
            "\"by\": \"operator\",",
            "\"by\": \"operator\", \"by\": \"operator\",",
        ),
        ("\"token\": 3 }", "\"token\": 3, \"token\": 3 }"),
    ] {
        assert!(whole.contains(once), "{once}");
        is_refused_with(&whole.replacen(once, twice, 1), "duplicate field");
    }
    let two_calls = json!({ "redrive": {}, "fail": { "task": "a", "token": 1 } });
    is_refused_with(&with("/rows/10/calls/0/call", two_calls), "expected");
}

#[test]
fn another_format_or_version_is_named_whatever_else_it_holds() {
    is_refused_with(
        &with("/version", json!(2)),
        "this says \"fencepost-scenario\" 2",
    );
    is_refused_with(&with("/version", json!(0)), "\"fencepost-scenario\" 0");
    is_refused_with(&with("/version", json!(u64::MAX)), "18446744073709551615");
    is_refused_with(&with("/format", json!("a\nb")), "\"a\\nb\" 1");
    is_refused_with(
        &with("/format", json!("x".repeat(60_000))),
        "xxxx\" 1: use the build",
    );
    let of_tomorrow = r#"{"format":"fencepost-scenario","version":2,"lanes":[]}"#;
    is_refused_with(of_tomorrow, "this says \"fencepost-scenario\" 2");
}

#[test]
fn every_limit_holds_for_a_text() {
    let spaces = |more: usize| {
        format!(
            "{}{}",
            SHELF[0].1,
            " ".repeat(TEXT_BYTES_MAX - SHELF[0].1.len() + more)
        )
    };
    assert!(Scenario::parse(&spaces(0)).is_ok());
    is_refused_with(&spaces(1), "at most 65536, here it is 65537");
    is_refused_with(
        &with(
            "/rows",
            json!(vec![json!({ "at": 0, "calls": [] }); 10_001]),
        ),
        "at most 65536",
    );
    let poll = |by: String| json!({ "by": by, "call": "poll" });
    let callers = |count: usize| {
        with(
            "/setup",
            (0..count).map(|n| poll(format!("w{n}"))).collect(),
        )
    };
    // Section 3 has four of its own, of which the set-up's producer goes.
    assert!(Scenario::parse(&callers(60)).is_ok());
    is_refused_with(&callers(62), "callers is at most 64, here it is 66");
    let tasks = |count: usize| {
        let ids: Vec<String> = (0..count).map(|n| n.to_string()).collect();
        with("/rows/10/calls/0/call/redrive/tasks", json!(ids))
    };
    // And it has two tasks.
    assert!(Scenario::parse(&tasks(1_998)).is_ok());
    is_refused_with(&tasks(1_999), "tasks is at most 2000, here it is 2001");
    let queues = |count: usize| {
        let one = |n| json!({ "by": "w", "queue": format!("q{n}"), "call": "poll" });
        with("/setup", (1..count).map(one).collect())
    };
    assert!(Scenario::parse(&queues(8)).is_ok());
    is_refused_with(&queues(9), "queues is at most 8, here it is 9");
    let id = |text: String| with(&format!("{FAIL}/task"), json!(text));
    assert!(Scenario::parse(&id("x".repeat(256))).is_ok());
    is_refused_with(
        &id("x".repeat(257)),
        "a task id has 1 to 256 bytes, this one has 257: choose another",
    );
    is_refused_with(&id(String::new()), "1 to 256 bytes, this one has 0");
    is_refused_with(
        &with("/queue", json!("x".repeat(129))),
        "1 to 128 bytes, this one has 129",
    );
    let error = |bytes: usize| with(&format!("{FAIL}/error"), json!("x".repeat(bytes)));
    assert!(Scenario::parse(&error(4_096)).is_ok());
    is_refused_with(&error(4_097), "at most 4096, here it is 4097");
}

/// A control character must be escaped, as JSON has it; escaped it is text like any other.
#[test]
fn control_characters_and_lone_surrogates() {
    for raw in 0..0x20_u8 {
        let raw = char::from(raw);
        refused(&with_raw("/title", &format!("\"a{raw}b\"")));
        let escaped = with_raw("/title", &format!("\"a\\u{:04x}b\"", u32::from(raw)));
        let read = Scenario::parse(&escaped).expect("escaped it is text");
        assert_eq!(read.title, format!("a{raw}b"));
    }
    for lone in [
        r"\ud800",
        r"\udfff",
        r"\ud800\ud800",
        r"\ud83ex",
        r"\ud83e\n",
        r"\u12",
        r"\x41",
        "\\",
    ] {
        refused(&with_raw("/rows/3/calls/0/by", &format!("\"{lone}\"")));
    }
    let crab = Scenario::parse(&with_raw("/title", r#""\ud83e\udd80""#)).expect("a whole pair");
    assert_eq!(crab.title, "🦀");
    refused(&format!("\u{feff}{}", SHELF[0].1));
    refused(&format!("{}\0", SHELF[0].1));
}
