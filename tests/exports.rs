//! Exports: each text is compared with one that is kept here and really used.
//!
//! The kept Rust tests are test targets of this crate; the kept JavaScript tests are run under Node by the
//! page's tests. It deliberately runs no Node itself. With FENCEPOST_KEEP=1 it writes the kept texts anew.

use fencepost_core::call::Call;
use fencepost_core::export::{javascript_test, markdown_table, rust_test, tcp_transcript};
use fencepost_core::rules::Chapter;
use fencepost_core::run::Run;
use fencepost_core::scenario::{SHELF, Scenario};
use fencepost_tests::{complete, enqueue, enqueue_own, fail, s, scenario};
use std::fs;
use std::path::Path;
use std::time::Duration;

fn section_3() -> Scenario {
    Scenario::parse(SHELF[0].1).expect("the crate's own scenario opens")
}

fn everything() -> Scenario {
    Scenario::parse(include_str!("data/everything.json")).expect("it is a scenario")
}

fn hostile() -> Scenario {
    Scenario::parse(include_str!("data/hostile.json")).expect("it is a scenario")
}

/// Compares with the text that is kept in this file, or keeps it.
fn is_kept(file: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    if std::env::var_os("FENCEPOST_KEEP").is_some() {
        fs::write(&path, text).expect("the tests' folder can be written");
    }
    let kept = fs::read_to_string(&path).expect("the text is kept");
    let differ = kept
        .lines()
        .zip(text.lines())
        .find(|(kept, now)| kept != now);
    assert!(kept == text, "{file} differs, first here: {differ:#?}");
}

#[test]
fn section_3_in_four_languages() {
    let scenario = section_3();
    is_kept("exported_section_3.rs", &rust_test(&scenario, "section_3"));
    let javascript = javascript_test(&scenario).expect("section 3 has nothing that it cannot say");
    is_kept("data/section-3.test.mjs", &javascript);
    is_kept("data/section-3.tcp.txt", &tcp_transcript(&scenario));
    is_kept("data/section-3.md", &markdown_table(&scenario));
}

#[test]
fn everything_in_the_languages_that_can_say_it() {
    let scenario = everything();
    is_kept(
        "exported_everything.rs",
        &rust_test(&scenario, "everything"),
    );
    is_kept("data/everything.tcp.txt", &tcp_transcript(&scenario));
    is_kept("data/everything.md", &markdown_table(&scenario));
    let refused = javascript_test(&scenario).expect_err("a poll waits and is served");
    assert_eq!(
        refused.to_string(),
        "in a JavaScript test no poll can wait, for its clock only tells the time: the poll of \"worker 2\" at \
         0.5 s waited and was given \"b\" at 1 s; make it a plain poll at 1 s"
    );
    // The way out is one.
    let mut plain = scenario;
    plain.rows.remove(1);
    plain.rows[1].calls.remove(0);
    plain.rows[1].calls[1].call = Call::Poll;
    let javascript = javascript_test(&plain).expect("now it can be said");
    is_kept("data/everything.test.mjs", &javascript);
}

#[test]
fn hostile_text_in_four_languages() {
    let scenario = hostile();
    is_kept("exported_hostile.rs", &rust_test(&scenario, "hostile"));
    let javascript = javascript_test(&scenario).expect("no poll waits in it");
    is_kept("data/hostile.test.mjs", &javascript);
    is_kept("data/hostile.tcp.txt", &tcp_transcript(&scenario));
    is_kept("data/hostile.md", &markdown_table(&scenario));
    for text in [
        rust_test(&scenario, "hostile"),
        javascript,
        markdown_table(&scenario),
    ] {
        let hidden = text.find(|c: char| {
            c != '\n' && (c.is_control() || "\u{2028}\u{2029}\u{202e}\u{feff}".contains(c))
        });
        assert_eq!(hidden.map(|at| &text[at..]), None, "only what can be seen");
    }
}

/// What stands in the table is what a run by the chapter's rules shows, row for row.
#[test]
fn a_table_has_the_rows_of_the_run() {
    for scenario in [section_3(), everything()] {
        let table = markdown_table(&scenario);
        let rows: Vec<&str> = table
            .lines()
            .filter(|line| line.starts_with("| "))
            .collect();
        let shown = &rows[2 + scenario.setup.len()..];
        let run = Run::with_rules(scenario, Chapter);
        let expected = run.about().rows;
        assert_eq!(shown.len(), expected.len());
        for (line, row) in shown.iter().zip(expected) {
            assert!(line.starts_with(&format!("| {} | ", row.at)), "{line}");
            assert!(line.ends_with(&format!(" | {} |", row.result)), "{line}");
        }
    }
}

/// A table's cell, read as Markdown reads it and then as it was put on one line.
fn read_cell(cell: &str) -> String {
    let mut shown = String::new();
    let mut letters = cell.chars();
    while let Some(c) = letters.next() {
        shown.push(if c == '\\' {
            letters.next().expect("an escaped letter")
        } else {
            c
        });
    }
    let shown = shown
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&");
    // What is left is escaped as in JSON, but for code points in braces.
    let mut text = String::new();
    let mut letters = shown.chars();
    while let Some(c) = letters.next() {
        text.push(match (c, c == '\\').1.then(|| letters.next()).flatten() {
            None => c,
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('u') => {
                let digits: String = letters.by_ref().skip(1).take_while(|c| *c != '}').collect();
                let code = u32::from_str_radix(&digits, 16).expect("hexadecimal digits");
                char::from_u32(code).expect("a code point")
            }
            Some(itself) => itself,
        });
    }
    text
}

/// Cells end at a bar that no backslash escapes.
fn cells(line: &str) -> Vec<String> {
    let (mut cells, mut is_escaped) = (vec![String::new()], false);
    for c in line.chars() {
        if c == '|' && !is_escaped {
            cells.push(String::new());
        } else {
            cells.last_mut().expect("there is one").push(c);
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    cells
}

#[test]
fn a_table_s_cells_read_as_what_was_written() {
    let scenario = hostile();
    let table = markdown_table(&scenario);
    let lines = table.lines().filter(|line| line.starts_with("| ")).skip(2);
    for (line, planned) in lines.zip(&scenario.setup) {
        let cells = cells(line);
        assert_eq!(cells.len(), 6, "{line}");
        let cell = |at: usize| read_cell(&cells[at][1..cells[at].len() - 1]);
        assert_eq!(cell(2), planned.by);
        assert_eq!(cell(3), planned.call.to_string());
    }
}

/// An ACK names no token: it is fenced by the connection, and what follows follows from that.
#[test]
fn an_ack_is_fenced_by_its_connection() {
    let mut planned = scenario(vec![
        (s(0), enqueue("a")),
        (s(0), enqueue("b")),
        (s(0), Call::Poll),
        (s(30), Call::Poll),
        (s(30), Call::Poll),
        // Its second lease of a is live, so the server takes the ACK; the table's token is stale.
        (s(31), complete("a", 1)),
        // b was handed out on this connection, and not on the other.
        (s(32), complete("b", 2)),
        (s(33), Call::Reopen),
        // A lease outlives a crash, a connection does not.
        (s(34), complete("b", 2)),
    ]);
    planned.rows[6].calls[0].by = "other".into();
    let text = tcp_transcript(&planned);
    let lines: Vec<&str> = text
        .lines()
        .skip_while(|line| !line.starts_with("30 s"))
        .collect();
    assert_eq!(
        lines,
        [
            "30 s  w > DEQ",
            "30 s  w < TASK b",
            "30 s  w > DEQ",
            "30 s  w < TASK a",
            "31 s  w > ACK a",
            "31 s  w < OK",
            "# in the table: LeaseLost",
            "32 s  other > ACK b",
            "32 s  other < NOACK",
            "# in the table: ok, b leaves",
            "# 33 s  w, Crash, then Open: open again",
            "# every connection was cut, and is a new one from here on",
            "34 s  w > ACK b",
            "34 s  w < NOACK",
        ],
        "{text}"
    );
}

#[test]
fn a_call_that_no_line_can_say_is_a_comment() {
    let planned = scenario(vec![
        (s(0), enqueue("two words")),
        (s(0), enqueue_own("a", 5, 1)),
        (s(0), Call::Poll),
        (s(0), Call::Poll),
        (s(0), Call::BreakLog),
        (s(0), enqueue("b")),
        (s(1), fail("a", 2, 5)),
    ]);
    let text = tcp_transcript(&planned);
    let lines: Vec<&str> = text.lines().skip(3).collect();
    assert_eq!(
        lines,
        [
            "# 0 s  w, Enqueue(two words): added",
            "# 0 s  w, Enqueue(a): added",
            "# 0 s  w, Poll: two words, attempt 1, token 1, deadline 30",
            "0 s  w > DEQ",
            "0 s  w < TASK a",
            "# 0 s  w, The log fails: from now on",
            "0 s  w > ENQ b",
            "0 s  w < ERR log full: it holds 4 records and takes no more; nothing changed, make room and call again",
            "# 1 s  w, Fail(a, token 2, retry after 5 s): refused: log full: it holds 4 records and takes no more; \
             nothing changed, make room and call again",
        ],
        "{text}"
    );
}

/// What a JavaScript queue need not know is left out where nothing follows from it, and refused elsewhere.
#[test]
fn javascript_leaves_out_only_what_changes_nothing() {
    let wait = Call::LongPoll {
        wait: Duration::from_secs(5),
    };
    let calls = [
        (s(0), wait),
        (s(5), Call::PollReturns),
        (s(6), Call::Reopen),
        (s(6), Call::Depth),
    ];
    let text = javascript_test(&scenario(calls.to_vec())).expect("the poll was given nothing");
    for line in [
        "  // not in this API: w, Poll(wait 5 s): waits\n",
        "  // not in this API: w, Poll returns: NoTask\n",
        "  // not in this API: w, Crash, then Open: open again\n",
    ] {
        assert!(text.contains(line), "{text}");
    }
    let back = [&calls[2..], &[(s(1), Call::Poll)]].concat();
    let refused = javascript_test(&scenario(back)).expect_err("the clock goes back");
    assert_eq!(
        refused.to_string(),
        "in a JavaScript test the clock never goes back after a crash: here it goes from 6 s to 1 s; put the rows \
         in the order of their times"
    );
}

/// A test's name is made fit, and a long table is cut so that no function needs too much stack.
#[test]
fn a_rust_test_has_a_fit_name_and_no_long_function() {
    let one = scenario(vec![(s(0), Call::Poll)]);
    for (name, fit) in [
        ("Section 3!", "section_3"),
        ("match", "scenario_match"),
        ("calls", "scenario_calls"),
        ("calls_2", "scenario_calls_2"),
        ("", "scenario"),
        ("3", "scenario_3"),
        ("漢字", "scenario"),
        ("a\"; fn b() {", "a_fn_b"),
    ] {
        let text = rust_test(&one, name);
        assert!(
            text.contains(&format!("\nfn {fit}() {{\n")),
            "{name}: {text}"
        );
    }
    let long = scenario(vec![(s(0), Call::Poll); 1_001]);
    let text = rust_test(&long, "long");
    assert!(text.contains("[calls_1(), calls_2(), calls_3()].concat()"));
    assert_eq!(text.matches("Call::Poll,").count(), 1_001);
}
