//! `fencepost shrink`, `lockstep` and `onward`: why a schedule is red, and when it was lost.
//!
//! It knows how to show each step. It deliberately finds nothing itself.

use super::args::{Lockstep, Onward, Rules, Shrink as Asked};
use super::print::say;
use super::print::table;
use super::{Ended, Outcome, source};
use fencepost_core::lockstep::first_difference;
use fencepost_core::run::{Run, sealed};
use fencepost_core::sim::onward::share_red;
use fencepost_core::sim::shrink::Shrink;

pub(crate) fn shrink(asked: &Asked) -> Outcome {
    let rules = asked.rules.chosen();
    let scenario = source::read(&asked.source, asked.rules)?;
    let Some(mut shrink) = Shrink::new(&scenario, rules) else {
        say!("nothing is red, so there is nothing to shrink");
        return Ok(Ended::Well);
    };
    while let Some(step) = shrink.step() {
        if !asked.json {
            say!("{:>5} calls  {}", step.calls, step.did);
        }
    }
    let small = sealed(shrink.scenario());
    if asked.json {
        say!("{}", small.to_json());
        return Ok(Ended::Red);
    }
    say!("\n{}\n", small.title);
    table(&Run::with_rules(small, rules));
    if let Some(red) = shrink.red() {
        say!("\nred: {red}");
    }
    say!("{} schedules were tried", shrink.tries());
    Ok(Ended::Red)
}

pub(crate) fn lockstep(asked: &Lockstep) -> Outcome {
    let rules = Rules {
        bug: Some(asked.bug),
    };
    let scenario = source::read(&asked.source, rules)?;
    match first_difference(&scenario, asked.bug) {
        None => say!("no difference: {} does not show here", asked.bug.id),
        Some(parting) => {
            say!("row {}: {}", parting.row, parting.sentence);
            return Ok(Ended::Red);
        }
    }
    Ok(Ended::Well)
}

pub(crate) fn onward(asked: &Onward) -> Outcome {
    let scenario = source::read(&asked.source, asked.rules)?;
    let last = scenario.rows.len();
    let rows = match asked.row {
        Some(row) if row > last => return Err(format!("the schedule has {last} rows, not {row}")),
        Some(row) => row..=row,
        None => 0..=last,
    };
    let mut is_any_red = false;
    for row in rows {
        let share = share_red(&scenario, row, asked.seeds.clone(), &asked.rules.chosen());
        say!(
            "after row {row:>3}: {} of {} ways onward end red",
            share.red,
            share.of
        );
        is_any_red |= share.red > 0;
    }
    Ok(Ended::red_if(is_any_red))
}
