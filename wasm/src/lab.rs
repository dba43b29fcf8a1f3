//! What the page's worker asks for: chaos over a range of seeds, and the exhaustive check.
//!
//! It knows how counts cross. It deliberately knows no rule and judges nothing.

use crate::out;
use fencepost_core::bugs::{Bug, Chosen};
use fencepost_core::explore::{Explorer, Found, Scope};
use fencepost_core::rules::Chapter;
use fencepost_core::sim::batch::Batch;
use serde::Serialize;
use wasm_bindgen::prelude::*;

/// In a page no exploration holds more states.
const STATES_MAX: usize = 4_000_000;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** What a range of seeds came to. */
export type ChaosCounts = {
  refused?: undefined, seeds: number, calls: number, red: number, digest: string,
  reds: { seed: number, row: number, property: string, what: string }[],
};

/** How far an exploration came: `found` is what it found, in words, or null if nothing is wrong. */
export type ExploreCounts = {
  refused?: undefined, states: number, transitions: number, depth: number, found: string | null,
};

/** Why it was not done. */
export type LabRefused = { refused: string };
"#;

#[derive(Serialize)]
struct Refused {
    refused: String,
}

#[derive(Serialize)]
struct ChaosCounts {
    seeds: f64,
    calls: f64,
    red: f64,
    /// As 16 hexadecimal digits: a number of JavaScript has no room for it.
    digest: String,
    reds: Vec<fencepost_core::sim::batch::RedSeed>,
}

#[derive(Serialize)]
struct ExploreCounts {
    states: f64,
    transitions: f64,
    depth: u32,
    found: Option<String>,
}

/// Runs the seeds from one number to another, the last not run, by the chapter's rules or a planted bug's.
#[wasm_bindgen(unchecked_return_type = "ChaosCounts | LabRefused")]
pub fn chaos(from: u32, to: u32, bug: Option<String>) -> Result<JsValue, JsValue> {
    let mut batch = Batch::default();
    match rules(bug.as_deref()) {
        Err(refused) => return out(&Refused { refused }),
        Ok(None) => (from..to).for_each(|seed| drop(batch.add(seed.into(), Chapter))),
        Ok(Some(rules)) => (from..to).for_each(|seed| drop(batch.add(seed.into(), rules))),
    }
    out(&ChaosCounts {
        seeds: batch.seeds as f64,
        calls: batch.calls as f64,
        red: batch.red as f64,
        digest: format!("{:016x}", batch.digest),
        reds: batch.reds,
    })
}

/// Looks at every interleaving of a small scope.
#[wasm_bindgen(unchecked_return_type = "ExploreCounts | LabRefused")]
pub fn explore(
    tasks: u8,
    workers: u8,
    max_attempts: u8,
    bug: Option<String>,
) -> Result<JsValue, JsValue> {
    let scope = Scope::new(tasks, workers, max_attempts);
    let counts = rules(bug.as_deref()).and_then(|rules| match rules {
        None => explored(scope, Chapter),
        Some(rules) => explored(scope, rules),
    });
    match counts {
        Ok(counts) => out(&counts),
        Err(refused) => out(&Refused { refused }),
    }
}

fn explored<R: fencepost_core::rules::Rules + Clone>(
    scope: Scope,
    rules: R,
) -> Result<ExploreCounts, String> {
    let mut explorer =
        Explorer::new(scope, rules, STATES_MAX).map_err(|error| error.to_string())?;
    let found = match explorer.finish() {
        Found::Broken(broken) => Some(broken.red.to_string()),
        Found::TooMany => {
            return Err(format!(
                "more than {STATES_MAX} states: choose a smaller scope"
            ));
        }
        Found::NoViolation | Found::Working => None,
    };
    let counts = explorer.counts();
    Ok(ExploreCounts {
        states: counts.states as f64,
        transitions: counts.transitions as f64,
        depth: counts.depth,
        found,
    })
}

/// The rules of a bug, or none for the chapter's.
fn rules(bug: Option<&str>) -> Result<Option<Chosen>, String> {
    let Some(id) = bug else {
        return Ok(None);
    };
    let bug = Bug::named(id).map_err(|error| error.to_string())?;
    Ok(Some(bug.rules))
}
