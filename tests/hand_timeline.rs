//! The chapter's section 3, row for row: the scenario that the page plays, and the table it must show.

use fencepost_core::bugs::CHAPTER;
use fencepost_core::rules::Rules;
use fencepost_core::run::Run;
use fencepost_core::scenario::Scenario;
use fencepost_core::time::Timestamp;
use fencepost_tests::chapter;
use fencepost_tests::chapter::timeline::text;
use std::time::Duration;

#[test]
fn hand_timeline() {
    chapter::hand_timeline(CHAPTER);
}

#[test]
fn the_scenario_expects_what_the_queue_answers() {
    let run = Run::open(text()).expect("section 3 is a scenario");
    assert_eq!(run.first_difference(), None);
    let scenario = run.scenario();
    let planned = scenario
        .setup
        .iter()
        .chain(scenario.rows.iter().flat_map(|row| &row.calls));
    assert!(
        planned.clone().all(|planned| planned.expect.is_some()),
        "every call expects something"
    );
    assert_eq!(planned.count(), 2 + 11 + 1);
}

#[test]
fn every_property_holds_at_every_row_and_every_goal_is_reached() {
    let mut run = Run::open(text()).expect("section 3 is a scenario");
    for step in 0..=run.rows() {
        let view = run.seek(step);
        for light in view.lights {
            assert_eq!(light.broken, None, "row {step}: {}", light.name);
        }
    }
    let reached_at = |goal: usize, run: &mut Run| {
        (0..=run.rows()).find(|step| run.seek(*step).goals[goal].reached)
    };
    assert_eq!(
        [0, 1, 2].map(|goal| reached_at(goal, &mut run)),
        [Some(4), Some(7), Some(9)]
    );
}

/// The rules with one sentence changed: a retry is visible at once.
#[derive(Clone)]
struct RetriesAtOnce;

impl Rules for RetriesAtOnce {
    fn visible_again_at(&self, now: Timestamp, _: Duration) -> Timestamp {
        now
    }
}

/// The rules with one sentence changed: a lease lives on at its deadline and fences nobody.
#[derive(Clone)]
struct FencesNobody;

impl Rules for FencesNobody {
    fn is_newest(&self, _: fencepost_core::task::Token, _: fencepost_core::task::Token) -> bool {
        true
    }
}

/// What the table shows is what the rules say: change one, and the first row it touches differs.
#[test]
fn another_rule_shows_another_table() {
    let scenario = Scenario::parse(text()).expect("section 3 is a scenario");
    let run = Run::with_rules(scenario.clone(), RetriesAtOnce);
    let difference = run.first_difference().expect("the delay is in the table");
    assert_eq!(
        (difference.step, difference.answered.as_str()),
        (4, "Retrying, visible at 10")
    );
    assert_eq!(
        run.about().rows[3].expected.as_deref(),
        Some("Retrying, visible at 15")
    );
    assert!(
        run.clone()
            .seek(5)
            .lights
            .iter()
            .any(|light| light.broken.is_some()),
        "delivered early"
    );

    let run = Run::with_rules(scenario, FencesNobody);
    let difference = run.first_difference().expect("the fence is in the table");
    assert_eq!(
        (difference.step, difference.answered.as_str()),
        (8, "ok, a leaves")
    );
    assert!(
        run.clone()
            .seek(8)
            .lights
            .iter()
            .any(|light| light.broken.is_some()),
        "acknowledged by a stale lease"
    );
    assert!(
        run.clone()
            .seek(7)
            .lights
            .iter()
            .all(|light| light.broken.is_none()),
        "and not before"
    );
}
