//! The planted bugs, both ways: the chapter's tests pass by its rules, and each bug fails the test it names.
//!
//! It knows section 5, and reads the rules' and the bugs' own sources. It deliberately knows no queue: a
//! verdict is a test that returned or one that panicked.

use fencepost_core::bugs::{BUGS, Bug, CHAPTER, Chosen, UNPLANTED};
use fencepost_tests::chapter::{CHAPTER_TESTS, ChapterTest};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::path::Path;
use std::sync::{LazyLock, Once};
use std::thread;

/// A row of section 5: the pitfall, the tests that it is caught by, and its mutants.
type Pitfall = (u8, &'static [&'static str], &'static [&'static str]);

/// The last column of section 5's table, by this project's names.
const SECTION_5: [Pitfall; 8] = [
    (
        1,
        &["crashed_worker_task_reappears", "stale_token_lease_lost"],
        &["s03"],
    ),
    (
        2,
        &[
            "stale_token_lease_lost",
            "hand_timeline",
            "recovery_from_log",
        ],
        &["s04", "s05", "s06", "s16"],
    ),
    (
        3,
        &[
            "poison_task_to_dlq_after_max_attempts",
            "hand_timeline",
            "non_retryable_dropped",
            "redrive",
        ],
        &["s09", "s10", "s11", "s12"],
    ),
    (4, &["hand_timeline"], &["s01"]),
    (5, &["heartbeat_extends_lease"], &["s07", "s08"]),
    (
        6,
        &[
            "fifo_among_visible",
            "long_poll_wakes_on_enqueue",
            "long_poll_wakes_on_retry_due",
            "long_poll_times_out",
        ],
        &["s02", "s14", "s15", "s19"],
    ),
    (
        7,
        &[
            "enqueue_duplicate_is_noop",
            "exactly_once_effects_under_chaos",
        ],
        &["s13", "s18"],
    ),
    (8, &["log_failure_changes_nothing"], &["s17"]),
];

/// Where a test panicked; `None` if it passed.
type Verdict = Option<String>;

thread_local! {
    /// This thread expects a panic, and prints none.
    static LISTENS: Cell<bool> = const { Cell::new(false) };
    /// The file of its last panic.
    static HEARD: RefCell<Verdict> = const { RefCell::new(None) };
}

/// From now on a thread that listens keeps its panics to itself; every other prints them as before.
fn hush() {
    static HUSHED: Once = Once::new();
    HUSHED.call_once(|| {
        let aloud = take_hook();
        set_hook(Box::new(move |panic| {
            if LISTENS.get() {
                let file = panic.location().map_or("nowhere", |place| place.file());
                HEARD.set(Some(file.replace('\\', "/")));
            } else {
                aloud(panic);
            }
        }));
    });
}

/// Lets one test judge these rules.
fn verdict(test: ChapterTest, rules: Chosen) -> Verdict {
    hush();
    LISTENS.set(true);
    let ended = catch_unwind(AssertUnwindSafe(|| test(rules)));
    LISTENS.set(false);
    let heard = HEARD.take();
    ended.err().map(|_| heard.unwrap_or_default())
}

/// What all sixteen say to these rules, by name.
fn verdicts(rules: Chosen) -> BTreeMap<&'static str, Verdict> {
    let judged = CHAPTER_TESTS.map(|(name, test)| (name, verdict(test, rules)));
    judged.into_iter().collect()
}

/// What all sixteen say to each bug, by its id; it is found out once, by a thread for each bug.
static MATRIX: LazyLock<BTreeMap<&str, BTreeMap<&str, Verdict>>> = LazyLock::new(|| {
    thread::scope(|scope| {
        let judges = BUGS.map(|bug| (bug.id, scope.spawn(move || verdicts(bug.rules))));
        let judged = judges.map(|(id, judge)| (id, judge.join().expect("a judge keeps calm")));
        judged.into_iter().collect()
    })
});

fn kills(test: &str, bug: &str) -> bool {
    MATRIX[bug][test].is_some()
}

#[test]
fn the_chapters_rules_pass_all_sixteen() {
    for (name, verdict) in verdicts(CHAPTER) {
        assert_eq!(verdict, None, "{name}");
    }
}

#[test]
fn each_bug_fails_the_test_it_names_and_the_chapters_rules_pass_it() {
    for bug in BUGS {
        assert!(
            kills(bug.killed_by, bug.id),
            "{bug:?}: {} does not kill it",
            bug.killed_by
        );
        let test = CHAPTER_TESTS
            .iter()
            .find(|(name, _)| *name == bug.killed_by);
        let (_, test) = test.expect("it is one of the sixteen");
        assert_eq!(verdict(*test, CHAPTER), None, "{}", bug.killed_by);
        let pitfall = SECTION_5.iter().find(|row| row.0 == bug.pitfall);
        let (_, caught_by, _) = pitfall.expect("a pitfall of section 5");
        assert!(
            caught_by.contains(&bug.killed_by),
            "{bug:?}: section 5 does not name {} for it",
            bug.killed_by
        );
    }
}

/// A bug is killed because a test looked, and not because the queue noticed something itself.
#[test]
fn who_kills_is_a_test_and_never_the_queue() {
    for (bug, verdicts) in MATRIX.iter() {
        for (test, file) in verdicts {
            let inside = file.as_ref().is_none_or(|file| file.starts_with("tests/"));
            assert!(inside, "{bug}: {test} panicked in {file:?}");
        }
    }
}

#[test]
fn section_5_is_right_about_what_catches_what() {
    for (pitfall, caught_by, bugs) in SECTION_5 {
        let planted = BUGS.iter().filter(|bug| bug.pitfall == pitfall);
        let planted: Vec<&str> = planted.map(|bug| bug.id).collect();
        assert_eq!(planted, bugs, "pitfall {pitfall}");
        for test in caught_by {
            assert!(
                bugs.iter().any(|bug| kills(test, bug)),
                "pitfall {pitfall}: {test} kills none of {bugs:?}"
            );
        }
        for bug in bugs {
            assert!(
                caught_by.iter().any(|test| kills(test, bug)),
                "pitfall {pitfall}: none of {caught_by:?} kills {bug}"
            );
        }
    }
}

#[test]
fn the_bugs_are_nineteen_over_all_eight_pitfalls() {
    let ids: Vec<String> = (1..=19).map(|n| format!("s{n:02}")).collect();
    assert_eq!(BUGS.map(|bug| bug.id).to_vec(), ids);
    let pitfalls: BTreeSet<u8> = BUGS.iter().map(|bug| bug.pitfall).collect();
    assert!(pitfalls.into_iter().eq(1..=8));
    assert_eq!(
        SECTION_5.map(|(pitfall, ..)| pitfall),
        [1, 2, 3, 4, 5, 6, 7, 8]
    );
    let tests: BTreeSet<&str> = CHAPTER_TESTS.iter().map(|(name, _)| *name).collect();
    assert_eq!(tests.len(), 16, "no test is listed twice");
}

fn source(file: &str) -> String {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(tests.join("../core/src").join(file)).expect(file)
}

/// The rule that this line of code begins to write, if it does.
fn rule_in(line: &str) -> Option<&str> {
    line.trim_start().strip_prefix("fn ")?.split('(').next()
}

/// Each rule of the trait and its sentence: the first paragraph of its doc, its lines joined by a space.
fn sentences() -> BTreeMap<String, String> {
    let rules = source("rules.rs");
    let begun = rules.split("pub trait Rules {\n").nth(1);
    let body = begun.and_then(|rest| rest.split("\n}\n").next());
    let (mut found, mut doc) = (BTreeMap::new(), Vec::new());
    for line in body.expect("the trait and its end").lines() {
        if let Some(words) = line.strip_prefix("    ///") {
            doc.push(words.trim());
        } else if let Some(rule) = rule_in(line) {
            let first = doc.split(|line| line.is_empty()).next().unwrap_or_default();
            found.insert(rule.to_string(), first.join(" "));
            doc.clear();
        }
    }
    found
}

#[test]
fn each_bug_quotes_the_sentence_of_its_rule() {
    let sentences = sentences();
    for bug in BUGS {
        let sentence = sentences.get(bug.rule).map(String::as_str);
        assert_eq!(sentence, Some(bug.sentence), "{bug:?}: {}", bug.rule);
    }
}

#[test]
fn each_bug_overrides_its_rule_and_no_other() {
    let bugs = source("bugs.rs");
    let table = bugs.split("\nbugs! {\n").nth(1).expect("the table");
    for (n, bug) in BUGS.iter().enumerate() {
        let begins = |bug: &Bug| {
            let head = format!("    {} \"{}\", ", bug.id.to_uppercase(), bug.id);
            table.find(&head).expect(bug.id)
        };
        let end = BUGS.get(n + 1).map_or(table.len(), begins);
        let block = &table[begins(bug)..end];
        let rules: Vec<&str> = block.lines().filter_map(rule_in).collect();
        assert_eq!(rules, [bug.rule], "{bug:?}");
        assert_eq!(block.matches("fn ").count(), 1, "{bug:?}");
    }
}

#[test]
fn every_rule_is_overridden_by_some_bug_or_says_why_not() {
    let planted: BTreeSet<&str> = BUGS.iter().map(|bug| bug.rule).collect();
    let unplanted: BTreeSet<&str> = UNPLANTED.iter().map(|(rule, _)| *rule).collect();
    let both: Vec<_> = planted.intersection(&unplanted).collect();
    assert!(both.is_empty(), "{both:?} are both");
    let sentences = sentences();
    let rules: BTreeSet<&str> = sentences.keys().map(String::as_str).collect();
    assert_eq!(&planted | &unplanted, rules);
    assert!(UNPLANTED.iter().all(|(_, why)| !why.is_empty()));
}

/// Bug by bug, the tests that kill it: `cargo test --test planted_bugs matrix -- --nocapture` shows it.
#[test]
fn the_matrix_has_no_empty_row() {
    for bug in BUGS {
        let names = CHAPTER_TESTS.map(|(name, _)| name);
        let killers: Vec<&str> = names
            .into_iter()
            .filter(|test| kills(test, bug.id))
            .collect();
        println!("{} | {}", bug.id, killers.join(", "));
        assert!(!killers.is_empty(), "{bug:?} lives");
    }
}
