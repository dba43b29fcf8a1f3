//! Shrinking and lockstep: what chaos finds becomes a table that a person can read, and one sentence.
//!
//! It knows how small each bug's table must get and the words for it. It deliberately knows no seed.

use fencepost_core::bugs::{BUGS, Bug};
use fencepost_core::explore::{Explorer, Found, Scope};
use fencepost_core::lockstep::first_difference;
use fencepost_core::rules::Chapter;
use fencepost_core::run::{Run, sealed};
use fencepost_core::scenario::Scenario;
use fencepost_core::sim::hits::Hits;
use fencepost_core::sim::shrink::{Shrink, Step};
use fencepost_core::sim::{judge, run};

/// No shrunk schedule has more calls.
const CALLS_MAX: usize = 8;

/// The smallest schedules of the first so many red seeds of a bug.
fn smallest(bug: &'static Bug, count: usize) -> Vec<(u64, Scenario, Vec<Step>)> {
    let mut hits = Hits::default();
    let stories = (0..2_000).map(|seed| run(seed, bug.rules, &mut hits));
    let red = stories.filter(|story| story.red.is_some()).take(count);
    red.map(|story| {
        let shrink = Shrink::new(&story.scenario(), bug.rules).expect("it is red");
        let property = shrink.red().expect("it is red").property;
        let (small, steps) = shrink.finish();
        let again = judge(&small, bug.rules).expect("a smaller one breaks it too");
        assert_eq!(again.property, property, "{bug:?} seed {}", story.plan.seed);
        (story.plan.seed, small, steps)
    })
    .collect()
}

/// The smallest of ten, the first of those.
fn best(bug: &'static Bug) -> Scenario {
    let found = smallest(bug, 10).into_iter();
    let (_, small, _) = found
        .min_by_key(|(_, small, _)| small.rows.len())
        .expect("ten are red");
    small
}

/// Each bug's table: how many calls are left of the first red seed, and of the best of ten.
#[test]
fn every_bug_shrinks_to_a_few_calls() {
    for bug in &BUGS {
        let found = smallest(bug, 10);
        let calls: Vec<usize> = found.iter().map(|(_, small, _)| small.rows.len()).collect();
        println!("{} {calls:?} calls", bug.id);
        assert!(
            calls.iter().all(|calls| *calls <= CALLS_MAX),
            "{bug:?}: {calls:?}"
        );
        for (seed, small, steps) in found {
            assert_eq!(
                judge(&small, Chapter),
                None,
                "{bug:?} seed {seed}: right by the chapter"
            );
            let left: Vec<usize> = steps.iter().map(|step| step.calls).collect();
            assert!(
                left.is_sorted_by(|one, next| one >= next),
                "{bug:?} seed {seed}: {left:?}"
            );
            assert!(steps.iter().all(|step| !step.did.is_empty()));
        }
    }
}

fn table(bug: &'static Bug, scenario: Scenario) -> Vec<String> {
    let run = Run::with_rules(sealed(scenario), bug.rules);
    let rows = run.about().rows.into_iter();
    rows.map(|row| {
        let chapter = row
            .expected
            .map_or_else(String::new, |right| format!(" | {right}"));
        format!(
            "{} | {} | {} | {}{chapter}",
            row.at,
            row.by.join(", "),
            row.call,
            row.result
        )
    })
    .collect()
}

/// The result reads like section 3's table, with what the chapter would have answered at the end.
#[test]
fn a_shrunk_schedule_reads_like_the_worked_example() {
    let of = |id| {
        let bug = Bug::named(id).expect("a bug");
        table(bug, best(bug))
    };
    assert_eq!(
        of("s03"),
        [
            "0 | producer | Enqueue(a) | added",
            "0 | worker 1 | Poll | a, attempt 1, token 1, deadline 30",
            "30 | worker 1 | Check(a, token 1) | live | LeaseLost",
        ]
    );
    assert_eq!(
        of("s12"),
        [
            "0 | producer | Enqueue(a) | added",
            "0 | worker 1 | Poll | a, attempt 1, token 1, deadline 30",
            "30 | healer | Redrive | 1 redriven",
            "30 | healer | Poll | a, attempt 2, token 2, deadline 60 | a, attempt 1, token 2, deadline 60",
        ]
    );
    assert_eq!(
        of("s19"),
        [
            "0 | worker 1 | Poll(wait 30 s) | waits",
            "30 | worker 1 | Poll returns | waits | NoTask",
        ]
    );
}

/// A schedule that breaks nothing has no smaller one.
#[test]
fn nothing_red_is_not_shrunk() {
    let story = run(0, Chapter, &mut Hits::default());
    assert!(Shrink::new(&story.scenario(), Chapter).is_none());
}

/// One sentence for each bug, from its smallest schedule.
#[test]
fn the_first_difference_is_one_sentence() {
    let expected = [
        (
            "s01",
            "at 0 s the bug answers worker 1's Fail(a, token 1, retry after 30 s) with Retrying, visible at 0; the chapter answers Retrying, visible at 30",
        ),
        (
            "s03",
            "at 30 s the bug still lets worker 1 act on task a; the chapter refused, token 1's lease was over at 30 s",
        ),
        (
            "s04",
            "at 0 s the bug still lets worker 1 act on task a; the chapter refused, token 1 owns the task since 0 s",
        ),
        (
            "s08",
            "at 0 s after Heartbeat(a, token 1) task a is leased with token 1 until 30 s, attempt 1 with the bug; by the chapter it is leased with token 1 until 30 s, attempt 1, details \"half\"",
        ),
        (
            "s14",
            "at 0 s the bug leaves worker 1 waiting; the chapter told it a, attempt 1, token 1, deadline 30 at 0 s",
        ),
        (
            "s17",
            "at 0 s after Enqueue(a) task a is visible since 0 s, attempt 0 with the bug; by the chapter it is gone",
        ),
        (
            "s18",
            "at 0 s after Complete(a, token 1) task a is leased with token 1 until 30 s, attempt 1 with the bug; by the chapter it is gone",
        ),
    ];
    for (id, sentence) in expected {
        let bug = Bug::named(id).expect("a bug");
        let small = best(bug);
        let parting = first_difference(&small, bug).expect("they differ");
        assert_eq!(parting.sentence, sentence, "{id}");
    }
}

/// The chapter beside itself never differs; each bug differs no later than the oracle sees it.
#[test]
fn a_bug_shows_in_lockstep_no_later_than_to_the_oracle() {
    let chapter = Bug {
        rules: fencepost_core::bugs::CHAPTER,
        ..BUGS[0]
    };
    for seed in 0..50 {
        let story = run(seed, Chapter, &mut Hits::default());
        assert_eq!(
            first_difference(&story.scenario(), &chapter),
            None,
            "seed {seed}"
        );
    }
    for bug in &BUGS {
        for seed in 0..40 {
            let story = run(seed, bug.rules, &mut Hits::default());
            if let Some(red) = story.red.clone() {
                let parting = first_difference(&story.scenario(), bug);
                let row = parting.map(|parting| parting.row);
                assert!(
                    row.is_some_and(|row| row <= red.row),
                    "{bug:?} seed {seed}: {row:?} {red}"
                );
            }
        }
    }
}

/// How many calls the shortest way to show a bug takes, in a scope of two tasks and two workers.
fn explored(bug: &'static Bug, max_attempts: u8) -> Option<usize> {
    let scope = Scope {
        guesses: true,
        ..Scope::new(2, 2, max_attempts)
    };
    let mut explorer = Explorer::new(scope, bug.rules, usize::MAX).expect("it has room");
    match explorer.finish() {
        Found::Broken(broken) => Some(broken.scenario.rows.len()),
        _ => None,
    }
}

/// Where a small scope can show a bug, its shortest way is as short as the best that shrinking finds. The
/// small world has no polls that wait, so it cannot show the three bugs that need one.
#[test]
fn exploring_finds_ways_as_short_as_shrinking_does() {
    for bug in &BUGS {
        let shrunk = best(bug).rows.len();
        let one_attempt = explored(bug, 1);
        if ["s14", "s15", "s19"].contains(&bug.id) {
            println!("{} shrunk {shrunk} explored none", bug.id);
            assert_eq!(one_attempt, None, "{bug:?}");
            continue;
        }
        let is_short = |calls: &usize| *calls <= shrunk;
        let calls = one_attempt.filter(is_short).or_else(|| explored(bug, 2));
        println!("{} shrunk {shrunk} explored {calls:?}", bug.id);
        assert!(calls.as_ref().is_some_and(is_short), "{bug:?}: {calls:?}");
    }
}
