//! `fencepost replay`, `digest` and `bugs`: what a schedule comes to, by the chapter or by a bug.
//!
//! It knows how a run is shown. It deliberately judges nothing: the oracle does.

use super::args::{Replay, Rules};
use super::print::say;
use super::print::table;
use super::{Ended, Outcome, source};
use fencepost_core::bugs::{BUGS, Chosen};
use fencepost_core::run::Run;
use fencepost_core::sim::judge;

fn played(source: &str, rules: Rules) -> Result<Run<Chosen>, String> {
    let scenario = source::read(source, rules)?;
    Ok(Run::with_rules(scenario, rules.chosen()))
}

pub(crate) fn replay(asked: &Replay) -> Outcome {
    let run = played(&asked.source, asked.rules)?;
    say!("{}\n", run.scenario().title);
    table(&run);
    say!("\ndigest {}", run.digest());
    let red = judge(run.scenario(), asked.rules.chosen());
    if let Some(red) = &red {
        say!("red: {red}");
    }
    let differs = run.first_difference();
    if let Some(differs) = &differs {
        say!(
            "row {} differs: expected {}, answered {}",
            differs.step,
            differs.expected,
            differs.answered
        );
    }
    Ok(Ended::red_if(red.is_some() || differs.is_some()))
}

pub(crate) fn digest(asked: &Replay) -> Outcome {
    say!("{}", played(&asked.source, asked.rules)?.digest());
    Ok(Ended::Well)
}

pub(crate) fn bugs() -> Outcome {
    for bug in &BUGS {
        say!(
            "{}  pitfall {}  {}\n     breaks {}: {}\n     killed by {}",
            bug.id,
            bug.pitfall,
            bug.does,
            bug.rule,
            bug.sentence,
            bug.killed_by
        );
    }
    Ok(Ended::Well)
}
