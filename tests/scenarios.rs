//! Scenarios and runs: the format's limits, exact stepping back, and what a reader is told.

use fencepost_core::call::Call;
use fencepost_core::rules::Chapter;
use fencepost_core::run::Run;
use fencepost_core::scenario::{
    HORIZON, LABEL_BYTES_MAX, ROWS_MAX, SHELF, Scenario, TEXT_BYTES_MAX,
};
use fencepost_core::task::TaskId;
use fencepost_tests::{complete, enqueue, fail, heartbeat, s, scenario};

fn section_3() -> Run {
    Run::open(SHELF[0].1).expect("the crate's own scenario opens")
}

#[test]
fn every_shelved_scenario_opens_and_answers_what_it_expects() {
    for (name, text) in SHELF {
        let run = Run::open(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(run.first_difference(), None, "{name}");
    }
}

/// Whatever order a reader looks in, each step shows the same.
#[test]
fn stepping_back_is_exact() {
    let mut run = section_3();
    let forward: Vec<_> = (0..=run.rows()).map(|step| run.seek(step)).collect();
    let mut backward: Vec<_> = (0..=run.rows()).rev().map(|step| run.seek(step)).collect();
    backward.reverse();
    assert_eq!(forward, backward);
    for step in [8, 3, 11, 0, 5, 5, 1] {
        assert_eq!(run.seek(step), forward[step], "step {step}");
    }
}

#[test]
fn a_step_past_the_last_is_the_last() {
    let mut run = section_3();
    assert_eq!(run.seek(usize::MAX).step, run.rows());
}

#[test]
fn the_same_scenario_has_the_same_digest_and_another_has_another() {
    assert_eq!(section_3().digest(), section_3().digest());
    let calls = vec![
        (s(0), enqueue("a")),
        (s(0), Call::Poll),
        (s(29), complete("a", 1)),
    ];
    let one = Run::with_rules(scenario(calls.clone()), Chapter);
    let later = Run::with_rules(
        scenario([&calls[..2], &[(s(30), complete("a", 1))]].concat()),
        Chapter,
    );
    assert_ne!(one.digest(), later.digest());
    assert_eq!(one.digest().len(), 16);
}

/// The digest is written down, so that a change of any call, outcome or record is noticed.
#[test]
fn the_digest_of_section_3() {
    assert_eq!(section_3().digest(), "fa211613df5bc851");
}

#[test]
fn a_scenario_reads_what_it_writes() {
    let scenario = Scenario::parse(SHELF[0].1).expect("the crate's own scenario opens");
    assert_eq!(
        Scenario::parse(&scenario.to_json()).expect("what was written is read"),
        scenario
    );
}

/// A way to spoil a scenario.
type Changed<'a> = &'a dyn Fn(&mut Scenario);

/// Every limit is refused with its rule and the value, and what reaches the limit is not.
#[test]
fn limits_are_refused_by_name() {
    let small = |change: Changed| {
        let mut changed = scenario(vec![(s(0), enqueue("a"))]);
        change(&mut changed);
        Scenario::parse(&changed.to_json())
            .map(|_| ())
            .map_err(|error| error.to_string())
    };
    assert_eq!(small(&|_| ()), Ok(()));
    assert_eq!(small(&|it| it.rows[0].at = HORIZON), Ok(()));
    assert_eq!(small(&|it| it.title = "x".repeat(LABEL_BYTES_MAX)), Ok(()));
    let refused: [(Changed, &str); 6] = [
        (
            &|it| it.rows[0].at = HORIZON.plus(std::time::Duration::from_millis(1)),
            "1000000001",
        ),
        (
            &|it| it.title = "x".repeat(LABEL_BYTES_MAX + 1),
            "128, here it is 129",
        ),
        (&|it| it.version = 2, "fencepost-scenario 1"),
        (&|it| it.format = "other".into(), "\"other\" 1"),
        (&|it| it.title = "x".repeat(TEXT_BYTES_MAX), "65536"),
        (
            &|it| {
                let row = it.rows[0].clone();
                it.rows[0].calls = (0..65)
                    .map(|n| fencepost_core::scenario::Planned {
                        by: format!("w{n}"),
                        ..row.calls[0].clone()
                    })
                    .collect();
            },
            "callers is at most 64, here it is 65",
        ),
    ];
    for (change, words) in refused {
        let error = small(change).expect_err(words);
        assert!(error.contains(words), "{error:?} does not say {words:?}");
    }
}

#[test]
fn a_text_that_is_no_scenario_is_refused_and_never_a_panic() {
    let deep = "[".repeat(10_000);
    for text in [
        "",
        "{",
        "null",
        "[1,2]",
        r#"{"format":"fencepost-scenario"}"#,
        &deep,
    ] {
        assert!(Run::open(text).is_err(), "{text:.40}");
    }
    let whole = SHELF[0].1;
    for cut in (0..whole.len())
        .filter(|cut| whole.is_char_boundary(*cut))
        .step_by(7)
    {
        assert!(Scenario::parse(&whole[..cut]).is_err() || whole[cut..].trim().is_empty());
    }
    let renamed = whole.replacen("\"queue\"", "\"queeu\"", 1);
    assert!(
        Scenario::parse(&renamed)
            .expect_err("an unknown field")
            .to_string()
            .contains("queeu")
    );
}

/// A long run is played and can be looked at anywhere.
#[test]
fn a_scenario_of_the_most_rows_runs() {
    let round = |n: usize| {
        let task = ["a", "b"][n % 2];
        let at = s(n as u64);
        [
            (at, enqueue(task)),
            (at, Call::Poll),
            (at, heartbeat(task, n as u64 + 1, "")),
            (at, complete(task, n as u64 + 1)),
        ]
    };
    let calls: Vec<_> = (0..ROWS_MAX / 4).flat_map(round).collect();
    let mut run = Run::with_rules(scenario(calls), Chapter);
    assert_eq!(run.rows(), ROWS_MAX);
    assert!(
        run.seek(ROWS_MAX)
            .lights
            .iter()
            .all(|light| light.broken.is_none())
    );
    assert_eq!(run.seek(2).picture.depth.leased, 1);
}

/// The chart tells what was known when: a failed attempt, a wait, an expiry, a stale belief.
#[test]
fn the_chart_shows_the_gap_between_queue_and_worker() {
    let calls = vec![
        (s(0), enqueue("a")),
        (s(0), Call::Poll),
        (s(10), heartbeat("a", 1, "half")),
        (s(40), Call::Poll),
        (s(41), complete("a", 1)),
        (s(42), fail("a", 2, 5)),
    ];
    let run = Run::with_rules(scenario(calls), Chapter);
    let chart = run.chart();
    let posts: Vec<_> = chart
        .posts
        .iter()
        .map(|post| (post.token.0, post.at, post.gone, post.moved))
        .collect();
    assert_eq!(
        posts,
        [
            (1, s(30), Some(3), true),
            (1, s(40), None, false),
            (2, s(70), Some(6), false)
        ]
    );
    let first = &chart.beliefs[0];
    assert_eq!(
        first.lost.map(|lost| (lost.step, lost.at)),
        Some((4, s(40)))
    );
    assert_eq!(first.end.map(|end| (end.step, end.at)), Some((5, s(41))));
    assert_eq!(chart.tasks, ["a"]);
    assert!(TaskId::new(chart.tasks[0].as_str()).is_ok());
}
