//! The command line, as a person and a script use it: what it prints, and the exit code.
//!
//! It knows the program's name and its words. It deliberately knows no rule.

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn fencepost(words: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fencepost"));
    command.args(words.split_whitespace());
    command
}

fn run(words: &str) -> (i32, String, String) {
    told(fencepost(words).output().expect("it starts"))
}

fn told(output: Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let code = output.status.code().expect("it was not killed");
    (code, text(&output.stdout), text(&output.stderr))
}

fn with_input(words: &str, input: &str) -> (i32, String, String) {
    let mut command = fencepost(words);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    let mut stdin = child.stdin.take().expect("its input");
    // It may refuse before it has read all; then the pipe is closed, and that is its good right.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    told(child.wait_with_output().expect("it ends"))
}

#[test]
fn chaos_without_a_bug_is_never_red() {
    let (code, out, _) = run("chaos --seeds 0..300");
    assert_eq!(code, 0, "{out}");
    assert!(out.starts_with("300 seeds, "), "{out}");
    assert!(out.contains(" 0 red"), "{out}");
}

/// A red run prints the command that shows it again, and that command shows it.
#[test]
fn a_red_run_prints_the_command_that_shows_it_again() {
    let (code, out, _) = run("chaos --seeds 0..40 --bug s03");
    assert_eq!(code, 1, "{out}");
    let again = out
        .lines()
        .find_map(|line| line.strip_prefix("again: fencepost "));
    let again = again.expect("there is a red seed");
    let (code, out, _) = run(again);
    assert_eq!(code, 1, "{out}");
    assert!(out.starts_with("seed "), "the plan comes first: {out}");
    assert!(out.contains("\nred: "), "{out}");
    let smaller = out
        .lines()
        .find_map(|line| line.strip_prefix("smaller: fencepost "));
    let (code, out, _) = run(smaller.expect("and how to make it smaller"));
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("(expected: LeaseLost)"), "{out}");
}

/// Whoever shares a range between machines gets what one machine gets.
#[test]
fn shards_merge_to_the_whole() {
    let folder = std::env::temp_dir().join(format!("fencepost-shards-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for three files");
    let mut files = Vec::new();
    for shard in 0..3 {
        let (code, out, _) = run(&format!(
            "chaos --seeds 0..200 --bug s09 --shard {shard}/3 --json"
        ));
        assert_eq!(code, 1, "{out}");
        let file = folder.join(format!("{shard}.json"));
        std::fs::write(&file, out).expect("a small file");
        files.push(file.display().to_string());
    }
    let (_, whole, _) = run("chaos --seeds 0..200 --bug s09 --json");
    let (code, merged, _) = run(&format!("merge --json {}", files.join(" ")));
    assert_eq!((code, &merged), (1, &whole));
    std::fs::write(folder.join("0.json"), "{}").expect("a small file");
    let (code, _, err) = run(&format!("merge {}", files.join(" ")));
    assert_eq!(code, 2);
    assert!(
        err.contains("merge takes what `fencepost chaos --json` wrote"),
        "{err}"
    );
    std::fs::remove_dir_all(&folder).expect("it was ours");
}

#[test]
fn a_range_that_meets_too_little_fails_if_asked() {
    let (code, out, _) = run("chaos --seeds 0..50 --hits");
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("never met: "), "{out}");
    assert!(out.contains("fail for good clock back"), "{out}");
}

#[test]
fn schedules_are_replayed_from_everywhere() {
    let (code, table, _) = run("replay section-3");
    assert_eq!(code, 0, "{table}");
    assert!(
        table.contains("LeaseLost") && table.contains("digest fa211613df5bc851"),
        "{table}"
    );
    assert_eq!(
        run("digest section-3"),
        (0, "fa211613df5bc851\n".into(), String::new())
    );
    let text = include_str!("../../core/scenarios/section-3.json");
    assert_eq!(with_input("replay -", text), (0, table, String::new()));
    let (code, out, _) = run("replay section-3 --bug s01");
    assert_eq!(code, 1);
    assert!(
        out.contains(
            "row 4 differs: expected Retrying, visible at 15, answered Retrying, visible at 10"
        ),
        "{out}"
    );
    let (code, out, _) = run("lockstep section-3 --bug s04");
    assert_eq!(code, 1);
    assert_eq!(
        out,
        "row 8: at 45 s the bug still lets worker 2 complete task a; the chapter refused, token 4 owns the task since 45 s\n"
    );
    assert_eq!(run("lockstep section-3 --bug s13").0, 0);
    assert_eq!(run("shrink section-3").0, 0);
}

#[test]
fn a_shrunk_schedule_can_be_replayed() {
    let (code, small, _) = run("shrink seed:5 --bug s19 --json");
    assert_eq!(code, 1);
    let (code, out, _) = with_input("replay - --bug s19", &small);
    assert_eq!(code, 1);
    assert!(out.contains("(expected: NoTask)"), "{out}");
    assert_eq!(with_input("replay -", &small).0, 0, "right by the chapter");
}

/// Every export of what chaos makes, and a sealed scenario that notices when it was changed.
#[test]
fn schedules_are_exported() {
    let begins = [
        ("rust", "//! "),
        ("javascript", "// "),
        ("tcp", "# "),
        ("markdown", "# "),
        ("json", "{"),
    ];
    for (format, begin) in begins {
        let (code, out, err) = run(&format!("export section-3 --as {format}"));
        assert_eq!((code, err.as_str()), (0, ""), "{format}");
        assert!(out.starts_with(begin), "{format}: {out}");
    }
    let (_, sealed, _) = run("export seed:7 --as json");
    assert_eq!(with_input("replay -", &sealed).0, 0);
    let (_, sealed, _) = run("export section-3 --as json");
    let changed = sealed.replace("\"retry_after\": 5000", "\"retry_after\": 6000");
    assert_ne!(changed, sealed);
    let (code, out, _) = with_input("replay -", &changed);
    assert_eq!(code, 1, "{out}");
    let seal = "made with version 0.1.0, digest fa211613df5bc851; here it comes to ";
    assert!(
        out.contains(seal) && out.contains(": the first difference is at row 4"),
        "{out}"
    );
}

#[test]
fn ways_onward_are_counted_row_by_row() {
    let (code, out, _) = run("onward section-3 --seeds 0..5");
    assert_eq!((code, out.lines().count()), (0, 12), "{out}");
    let (code, out, _) = run("onward section-3 --row 8 --seeds 0..5 --bug s04");
    assert_eq!(
        (code, out.as_str()),
        (1, "after row   8: 5 of 5 ways onward end red\n")
    );
    assert_eq!(run("onward section-3 --row 12").0, 2);
}

#[test]
fn exploring_counts_or_shows_the_shortest_way() {
    let (code, out, _) = run("explore --tasks 1 --workers 1 --attempts 1");
    assert_eq!(code, 0);
    assert!(
        out.starts_with("930 states, 4,685 transitions, at most 10 calls deep"),
        "{out}"
    );
    let (code, out, _) = run("explore --bug s16 --json");
    assert_eq!(code, 1);
    let (code, table, _) = with_input("replay - --bug s16", &out);
    assert_eq!(code, 1);
    assert!(table.contains("Crash, then Open"), "{table}");
    assert_eq!(run("explore --tasks 9").0, 2);
    let (code, _, err) = run("explore --states 1");
    assert_eq!(code, 2);
    assert!(err.contains("more than 1,000 states"), "{err}");
}

#[test]
fn all_bugs_are_listed() {
    let (code, out, _) = run("bugs");
    assert_eq!((code, out.lines().count()), (0, 3 * 19));
    let (code, out, _) = run("bugs --seeds 0..130");
    assert_eq!((code, out.lines().count()), (0, 2 + 19), "{out}");
    assert_eq!(run("bugs --seeds 0..3").0, 1, "some are hidden");
}

/// Each misuse has its line, the value and exit code 2.
#[test]
fn misuse_is_named() {
    let table = [
        (
            "chaos --seeds 5..2",
            "a range is A..B with A below B, this is \"5..2\"",
        ),
        ("chaos --seeds 7", "a range is A..B"),
        (
            "chaos --shard 3/3",
            "a shard is I/N with I below N, this is \"3/3\"",
        ),
        ("chaos --bug s20", "they are called s01 to s19"),
        (
            "replay nowhere.json",
            "a scenario is a file, -, seed:N, or one of section-3",
        ),
        ("replay seed:x", "a seed is a number, this is \"x\""),
        ("paint", "unrecognized subcommand 'paint'"),
    ];
    for (words, reason) in table {
        let (code, _, err) = run(words);
        assert_eq!(code, 2, "{words}: {err}");
        assert!(err.contains(reason), "{words}: {err}");
    }
    let (code, _, err) = with_input("replay -", &"[".repeat(100_000));
    assert_eq!(code, 2);
    assert!(err.contains("at most 65536"), "{err}");
}
