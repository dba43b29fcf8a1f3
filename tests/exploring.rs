//! Exploring: the counts of small scopes, exactly, and that the small world is the real queue.
//!
//! It knows numbers that can only change if what can happen changes. It deliberately knows no speed.

use fencepost_core::bugs::{BUGS, CHAPTER};
use fencepost_core::explore::{Counts, Explorer, Found, Scope, refines};
use fencepost_core::rules::Chapter;

fn explore(scope: Scope) -> (Found, Counts) {
    let mut explorer = Explorer::new(scope, Chapter, usize::MAX).expect("it has room");
    (explorer.finish(), explorer.counts())
}

/// tasks, workers, M: states, transitions, depth in calls.
#[test]
fn the_counts_of_small_scopes() {
    let table = [
        ((1, 1, 1), (930, 4_685, 10)),
        ((1, 1, 2), (2_604, 13_292, 14)),
        ((1, 2, 2), (4_272, 30_712, 14)),
        ((2, 1, 1), (19_608, 118_216, 16)),
        ((2, 2, 1), (37_812, 305_588, 18)),
        ((2, 2, 2), (493_594, 4_632_339, 26)),
    ];
    for ((tasks, workers, max_attempts), (states, transitions, depth)) in table {
        let (found, counts) = explore(Scope::new(tasks, workers, max_attempts));
        assert_eq!(
            found,
            Found::NoViolation,
            "{tasks} {workers} {max_attempts}"
        );
        let expected = Counts {
            states,
            transitions,
            depth,
        };
        assert_eq!(counts, expected, "{tasks} {workers} {max_attempts}");
    }
}

/// One task, one worker, one attempt, one instant, counted by hand.
#[test]
fn the_smallest_scope_can_be_counted_by_hand() {
    let one_instant = Scope {
        horizon: 0,
        redrives: 0,
        crashes: 0,
        failures: 0,
        ..Scope::new(1, 1, 1)
    };
    // Empty (an enqueue and a poll can happen); visible (2); in hand, and with details (6 each: an enqueue, a
    // poll that forgets it, and the four calls with a lease); forgotten, and with details (2 each); gone (1: a
    // poll); dead, and with details (2 each). The longest way: enqueue, poll, heartbeat, fail.
    let by_hand = Counts {
        states: 9,
        transitions: 2 + 2 + 12 + 4 + 1 + 4,
        depth: 4,
    };
    assert_eq!(explore(one_instant), (Found::NoViolation, by_hand));
}

/// Piece by piece is the same as at once, and a limit is kept.
#[test]
fn exploring_can_stop_and_go_on() {
    let scope = Scope::new(2, 1, 1);
    let mut explorer = Explorer::new(scope, Chapter, usize::MAX).expect("it has room");
    let mut pieces = 0;
    while explorer.go_on(1_000) == Found::Working {
        pieces += 1;
    }
    assert!(pieces > 10, "{pieces}");
    assert_eq!(explorer.counts(), explore(scope).1);
    let mut small = Explorer::new(scope, Chapter, 500).expect("it has room");
    assert_eq!(small.finish(), Found::TooMany);
}

/// Every transition of these scopes leaves the real queue where it leaves the small world; by the chapter's
/// rules and by those of every bug.
#[test]
fn the_small_world_is_the_real_queue() {
    for (tasks, workers, max_attempts) in [(1, 1, 1), (1, 2, 2), (2, 1, 1)] {
        let compared = refines(Scope::new(tasks, workers, max_attempts), CHAPTER, 5_000);
        assert!(
            compared.is_ok_and(|compared| compared > 4_000),
            "{tasks} {workers} {max_attempts}"
        );
    }
    let lively = Scope {
        lives: 2,
        redrives: 0,
        guesses: true,
        ..Scope::new(2, 2, 2)
    };
    assert!(refines(lively, CHAPTER, 3_000).is_ok_and(|compared| compared > 10_000));
    for bug in &BUGS {
        let compared = refines(Scope::new(2, 2, 2), bug.rules, 400);
        assert!(compared.is_ok(), "{bug:?}: {compared:?}");
    }
}

#[test]
fn a_scope_without_room_is_refused_by_name() {
    let refused = |scope| {
        Explorer::new(scope, Chapter, 1)
            .map(|_| ())
            .expect_err("no room")
            .to_string()
    };
    let fits = Scope::new(2, 2, 2);
    let table = [
        (
            Scope { tasks: 0, ..fits },
            "tasks: 1 to 3, here 0; choose a smaller scope",
        ),
        (
            Scope { tasks: 4, ..fits },
            "tasks: 1 to 3, here 4; choose a smaller scope",
        ),
        (
            Scope { workers: 9, ..fits },
            "workers: 1 to 3, here 9; choose a smaller scope",
        ),
        (
            Scope {
                max_attempts: 4,
                ..fits
            },
            "max attempts: 1 to 3, here 4; choose a smaller scope",
        ),
        (
            Scope {
                horizon: 30,
                ..fits
            },
            "the last step and the longest wait: 1 to 31, here 32; choose a smaller scope",
        ),
        (
            Scope {
                lives: 3,
                redrives: 3,
                ..fits
            },
            "tokens that may be handed out: 1 to 31, here 48; choose a smaller scope",
        ),
    ];
    for (scope, words) in table {
        assert_eq!(refused(scope), words);
    }
}
