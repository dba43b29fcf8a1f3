//! `cargo bench -p xtask --bench lab`: seeds and calls a second of chaos, states and transitions a second of
//! exploring, and the same small world under stateright in the same run.
//!
//! It knows how long each took. It deliberately judges nothing but that both count the same states: a
//! figure is not a test.

#![allow(missing_docs)]

#[path = "lab/model.rs"]
mod model;

use fencepost_core::explore::{Explorer, Found, Scope};
use fencepost_core::rules::Chapter;
use fencepost_core::sim::batch::Batch;
use model::Leases;
use stateright::{Checker, Model};
use std::time::Instant;

/// Chaos runs so many seeds.
const SEEDS: u64 = 20_000;
/// The better of so many goes counts: a shared machine only ever takes time away.
const GOES: usize = 5;

fn main() {
    let (seeds, calls) = best(chaos);
    println!("native      chaos       {seeds:>12.0} seeds/s   {calls:>12.0} checked calls/s");
    for max_attempts in [2, 3] {
        let (states, transitions) = best(|| ours(max_attempts));
        let (theirs, theirs_generated) = best(|| stateright(max_attempts));
        println!(
            "native      explore M={max_attempts} {states:>12.0} states/s  {transitions:>12.0} checked transitions/s"
        );
        println!(
            "stateright  explore M={max_attempts} {theirs:>12.0} states/s  {theirs_generated:>12.0} generated states/s"
        );
        let same = (ours(max_attempts).0, stateright(max_attempts).0);
        assert_eq!(same.0, same.1, "both count the same states");
        println!(
            "ratio       states a second, ours to stateright's: {:.1}",
            states / theirs
        );
    }
}

/// The two rates of the fastest go.
fn best(mut go: impl FnMut() -> (u64, u64)) -> (f64, f64) {
    let rates = (0..GOES).map(|_| {
        let begun = Instant::now();
        let (one, other) = go();
        let seconds = begun.elapsed().as_secs_f64();
        (one as f64 / seconds, other as f64 / seconds)
    });
    rates.fold(
        (0.0, 0.0),
        |best, rate| if rate.0 > best.0 { rate } else { best },
    )
}

fn chaos() -> (u64, u64) {
    let mut batch = Batch::default();
    (0..SEEDS).for_each(|seed| drop(batch.add(seed, Chapter)));
    assert_eq!(batch.red, 0);
    (batch.seeds, batch.calls)
}

fn ours(max_attempts: u8) -> (u64, u64) {
    let scope = Scope::new(2, 2, max_attempts);
    let mut explorer = Explorer::new(scope, Chapter, usize::MAX).expect("it has room");
    assert_eq!(explorer.finish(), Found::NoViolation);
    let counts = explorer.counts();
    (counts.states, counts.transitions)
}

fn stateright(max_attempts: u8) -> (u64, u64) {
    let scope = Scope::new(2, 2, max_attempts);
    let model = Leases {
        max_attempts,
        horizon: scope.horizon,
    };
    let checker = model.checker().threads(1).spawn_bfs().join();
    checker.assert_properties();
    let states = checker.unique_state_count() as u64;
    assert_eq!(states, ours(max_attempts).0, "both count the same states");
    (states, checker.state_count() as u64)
}
