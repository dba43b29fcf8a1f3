//! Chaos: seeded worlds around the queue. Without a bug nothing is ever red; with each bug something soon is.
//!
//! It knows ranges of seeds and what must be met in them. It deliberately knows no schedule.

use fencepost_core::bugs::{BUGS, CHAPTER};
use fencepost_core::rules::Chapter;
use fencepost_core::run::Run;
use fencepost_core::scenario::Scenario;
use fencepost_core::sim::batch::{Batch, REDS_MAX};
use fencepost_core::sim::hits::Hits;
use fencepost_core::sim::onward::{go_on, share_red};
use fencepost_core::sim::plan::{FAULTS, Plan};
use fencepost_core::sim::{judge, run};

/// The seeds that each run of the tests goes through; `fencepost chaos` goes through more.
const SEEDS: std::ops::Range<u64> = 0..10_000;
/// Every bug is red within so many seeds; the slowest takes them all.
const SEEDS_TO_FIND: u64 = 119;

/// Nothing is red, everything converges, and every cell of the table and every sometimes was met: a pass
/// that met nothing would be worth nothing.
#[test]
fn the_chapter_is_never_red_and_everything_was_met() {
    let mut batch = Batch::default();
    for seed in SEEDS {
        if let Some(red) = batch.add(seed, Chapter) {
            panic!(
                "{}\n{red}\nagain: fencepost chaos --seeds {seed}..{}",
                Plan::draw(seed),
                seed + 1
            );
        }
    }
    println!("{}", batch.hits.table());
    for (what, count) in batch.hits.sometimes() {
        println!("{count:>10} {what}");
    }
    assert_eq!(batch.hits.missing(), Vec::<String>::new(), "never met");
    assert_eq!((batch.seeds, batch.red), (SEEDS.end, 0));
}

/// Every bug, the first seed that shows it, and the property it breaks there.
#[test]
fn every_bug_is_found_within_a_few_seeds() {
    for bug in &BUGS {
        let mut hits = Hits::default();
        let mut stories = (0..SEEDS_TO_FIND).map(|seed| run(seed, bug.rules, &mut hits));
        let story = stories.find(|story| story.red.is_some());
        let story = story.unwrap_or_else(|| panic!("{bug:?}: not found in {SEEDS_TO_FIND} seeds"));
        let red = story.red.clone().expect("found");
        println!("{} seed {:>2}, {red}", bug.id, story.plan.seed);
        assert_eq!(
            red.row,
            story.rows.len(),
            "{bug:?}: the run stops at the row that shows it"
        );
        let scenario = story.scenario();
        assert_eq!(
            judge(&scenario, bug.rules).as_ref(),
            Some(&red),
            "{bug:?}: replayed"
        );
        assert_eq!(
            judge(&scenario, Chapter),
            None,
            "{bug:?}: by the chapter's rules"
        );
    }
}

/// A story is a scenario: it reads what it writes, and replays to the same digest.
#[test]
fn a_story_replays_to_the_bit() {
    for seed in 0..300 {
        let story = run(seed, Chapter, &mut Hits::default());
        assert_eq!(
            run(seed, CHAPTER, &mut Hits::default()),
            story,
            "seed {seed}: twice"
        );
        let scenario = story.scenario();
        let read = Scenario::parse(&scenario.to_json())
            .unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        assert_eq!(read, scenario, "seed {seed}");
        assert_eq!(
            Run::with_rules(read, Chapter).digest(),
            story.digest.to_string(),
            "seed {seed}"
        );
    }
}

/// Swarm: each fault is missing in about half of the plans, and some plans have none.
#[test]
fn plans_differ_in_which_faults_exist() {
    let plans: Vec<Plan> = (0..2_000).map(Plan::draw).collect();
    for (fault, words) in FAULTS {
        let with = plans.iter().filter(|plan| plan.rate(fault) > 0).count();
        assert!(
            (800..1_200).contains(&with),
            "{words}: in {with} of 2,000 plans"
        );
    }
    let line = Plan::draw(1256).to_string();
    let begins = "seed 1256: workers 2, queues 2, ids 3, V 30 s, M 3, 31 calls; deaths 1 in 8, ";
    assert!(line.starts_with(begins), "{line}");
    assert!(line.ends_with("clock steps 1 in 2"), "{line}");
    let calm = Plan {
        rates: [0; FAULTS.len()],
        ..Plan::draw(1)
    };
    assert!(calm.to_string().ends_with("; nothing goes wrong"), "{calm}");
}

/// Parts of a range add up to the range, in any order, also by way of JSON.
#[test]
fn batches_add_up_however_they_were_split() {
    let bug = &BUGS[8];
    let batch = |seeds: &mut dyn Iterator<Item = u64>| {
        let mut batch = Batch::default();
        seeds.for_each(|seed| drop(batch.add(seed, bug.rules)));
        batch
    };
    let whole = batch(&mut (0..600));
    assert!(
        whole.red > REDS_MAX as u64 && whole.reds.len() == REDS_MAX,
        "{} red",
        whole.red
    );
    let mut parts = Batch::default();
    for shard in [2, 0, 1] {
        let part = batch(&mut (0..600).filter(|seed| seed % 3 == shard));
        let text = serde_json::to_string(&part).expect("numbers and names");
        parts.merge(serde_json::from_str(&text).expect("what it wrote"));
    }
    assert_eq!(parts, whole);
    let strange = serde_json::to_string(&whole)
        .expect("numbers and names")
        .replace("a lease expires", "a lease expands");
    let error = serde_json::from_str::<Batch>(&strange)
        .expect_err("another build's")
        .to_string();
    assert!(error.contains("a lease expands"), "{error}");
}

/// Going on from the row before the end is mostly lost, from the beginning mostly not, and never by the
/// chapter's rules.
#[test]
fn the_ways_onward_tell_when_a_run_was_lost() {
    let bug = fencepost_core::bugs::Bug::named("s12").expect("a bug");
    let stories = (0..200).map(|seed| run(seed, bug.rules, &mut Hits::default()));
    let story = stories
        .into_iter()
        .find(|story| story.red.is_some())
        .expect("found");
    let (scenario, last) = (story.scenario(), story.rows.len());
    let share = |rows, rules| share_red(&scenario, rows, 0..40, rules);
    let (first, late, end) = (
        share(0, &bug.rules),
        share(last - 1, &bug.rules),
        share(last, &bug.rules),
    );
    assert_eq!((end.red, end.of), (40, 40), "it is red already");
    assert!(first.red < late.red, "{first:?} {late:?}");
    for rows in [0, last / 2, last] {
        assert_eq!(share(rows, &CHAPTER).red, 0, "after {rows} rows");
    }
}

/// What goes on keeps what was: its first rows are the scenario's.
#[test]
fn a_way_onward_begins_with_the_scenario() {
    for seed in 0..60 {
        let story = run(seed, Chapter, &mut Hits::default());
        let rows = story.rows.len() / 2;
        let (onward, red) = go_on(&story.scenario(), rows, seed + 1, Chapter);
        assert_eq!(onward[..rows], story.rows[..rows], "seed {seed}");
        assert!(onward.len() > rows && red.is_none(), "seed {seed}: {red:?}");
        assert_eq!(
            go_on(&story.scenario(), rows, seed + 1, Chapter).0,
            onward,
            "seed {seed}: twice"
        );
    }
}
