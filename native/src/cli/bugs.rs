//! `fencepost bugs`: the planted bugs, and how soon chaos finds each.
//!
//! It knows how to count what the oracle says. It deliberately knows no bug.

use super::args::Bugs;
use super::print::say;
use super::{Ended, Outcome};
use fencepost_core::bugs::{BUGS, Bug};
use fencepost_core::oracle::Property;
use fencepost_core::sim::hits::Hits;
use fencepost_core::sim::run;
use fencepost_core::sim::shrink::Shrink;
use std::collections::BTreeMap;
use std::ops::Range;

/// Of each bug so many red seeds are shrunk.
const SHRUNK: usize = 10;

pub(crate) fn bugs(asked: &Bugs) -> Outcome {
    if let Some(seeds) = &asked.seeds {
        return Ok(measure(seeds));
    }
    for bug in &BUGS {
        say!("{}  pitfall {}  {}", bug.id, bug.pitfall, bug.does);
        say!("     breaks {}: {}", bug.rule, bug.sentence);
        say!("     killed by {}", bug.killed_by);
    }
    Ok(Ended::Well)
}

/// What chaos makes of one bug.
#[derive(Default)]
struct Measured {
    seeds: u64,
    first: Option<u64>,
    /// The rows at which it was seen.
    rows: Vec<usize>,
    smallest: Option<usize>,
    properties: BTreeMap<Property, usize>,
}

/// A Markdown table; red if a bug is not found at all.
fn measure(seeds: &Range<u64>) -> Ended {
    say!(
        "| bug | first red seed | red | median call | worst call | smallest schedule | first broken |"
    );
    say!("| --- | ---: | ---: | ---: | ---: | ---: | --- |");
    let mut is_any_hidden = false;
    for bug in &BUGS {
        let measured = of(bug, seeds.clone());
        is_any_hidden |= measured.first.is_none();
        row(bug, measured);
    }
    Ended::red_if(is_any_hidden)
}

fn of(bug: &Bug, seeds: Range<u64>) -> Measured {
    let mut measured = Measured::default();
    let mut hits = Hits::default();
    for seed in seeds {
        measured.seeds += 1;
        let story = run(seed, bug.rules, &mut hits);
        let Some(red) = &story.red else { continue };
        measured.first.get_or_insert(seed);
        *measured.properties.entry(red.property).or_default() += 1;
        if measured.rows.len() < SHRUNK
            && let Some(shrink) = Shrink::new(&story.scenario(), bug.rules)
        {
            let calls = shrink.finish().0.rows.len();
            let smallest = measured.smallest.unwrap_or(calls).min(calls);
            measured.smallest = Some(smallest);
        }
        measured.rows.push(red.row);
    }
    measured
}

fn row(bug: &Bug, mut measured: Measured) {
    measured.rows.sort_unstable();
    let middle = measured.rows.get(measured.rows.len() / 2);
    let shown =
        |number: Option<usize>| number.map_or_else(|| "none".to_owned(), |it| it.to_string());
    let mut properties: Vec<_> = measured.properties.iter().collect();
    properties.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let properties: Vec<String> = properties
        .into_iter()
        .map(|(property, count)| format!("{} ({count})", property.name()))
        .collect();
    say!(
        "| {} {} | {} | {} of {} | {} | {} | {} | {} |",
        bug.id,
        bug.does,
        shown(measured.first.map(|seed| seed as usize)),
        measured.rows.len(),
        measured.seeds,
        shown(middle.copied()),
        shown(measured.rows.last().copied()),
        shown(measured.smallest),
        properties.join(", ")
    );
}
