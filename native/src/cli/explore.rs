//! `fencepost explore`: every interleaving of a small scope.
//!
//! It knows the scope that was asked for and how to show what was found. It deliberately explores nothing
//! itself.

use super::args::Explore;
use super::print::say;
use super::print::{grouped, table};
use super::{Ended, Outcome, said};
use fencepost_core::bugs::Chosen;
use fencepost_core::explore::{Counterexample, Explorer, Found, Scope};
use fencepost_core::rules::{Chapter, Rules};
use fencepost_core::run::{Run, sealed};
use std::time::Instant;

pub(crate) fn explore(asked: &Explore) -> Outcome {
    let scope = Scope::new(asked.tasks, asked.workers, asked.attempts);
    let scope = Scope {
        horizon: asked.horizon.unwrap_or(scope.horizon),
        lives: asked.lives.unwrap_or(scope.lives),
        guesses: asked.guesses,
        ..scope
    };
    match asked.rules.bug {
        None => by(Chapter, scope, asked),
        Some(bug) => by(bug.rules, scope, asked),
    }
}

fn by<R: Rules + Clone>(rules: R, scope: Scope, asked: &Explore) -> Outcome {
    let begun = Instant::now();
    let states_max = asked.states.saturating_mul(1_000);
    let mut explorer = Explorer::new(scope, rules, states_max).map_err(said)?;
    let found = explorer.finish();
    let (counts, seconds) = (explorer.counts(), begun.elapsed().as_secs_f64());
    if let Found::Broken(broken) = &found {
        return Ok(broken_by(broken, asked.rules.chosen(), asked.json));
    }
    if asked.json {
        say!("{}", serde_json::to_string(&counts).map_err(said)?);
    } else {
        say!(
            "{} states, {} transitions, at most {} calls deep, in {seconds:.1} s ({} states a second)",
            grouped(counts.states),
            grouped(counts.transitions),
            counts.depth,
            grouped((counts.states as f64 / seconds) as u64),
        );
    }
    if found == Found::TooMany {
        return Err(format!(
            "more than {} states: choose a smaller scope, or allow more with --states",
            grouped(states_max as u64)
        ));
    }
    if !asked.json {
        say!("no violation");
    }
    Ok(Ended::Well)
}

fn broken_by(broken: &Counterexample, rules: Chosen, json: bool) -> Ended {
    let scenario = sealed(broken.scenario.clone());
    if json {
        say!("{}", scenario.to_json());
    } else {
        table(&Run::with_rules(scenario, rules));
        say!("\nred: {}", broken.red);
    }
    Ended::Red
}
