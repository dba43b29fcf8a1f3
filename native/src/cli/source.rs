//! Where a scenario comes from: a file, the input, the shelf, or a seed.
//!
//! It knows how to read each. It deliberately runs nothing but the seed.

use super::args::Rules;
use super::said;
use fencepost_core::scenario::{SHELF, Scenario, TEXT_BYTES_MAX};
use fencepost_core::sim::hits::Hits;
use fencepost_core::sim::run;
use std::fs::File;
use std::io::Read;

/// The scenario that a person named.
pub(crate) fn read(source: &str, rules: Rules) -> Result<Scenario, String> {
    if let Some(seed) = source.strip_prefix("seed:") {
        let seed = seed
            .parse()
            .map_err(|_| format!("a seed is a number, this is {seed:?}"))?;
        return Ok(run(seed, rules.chosen(), &mut Hits::default()).scenario());
    }
    let shelved = SHELF.iter().find(|(name, _)| *name == source);
    let text = match shelved {
        Some((_, text)) => (*text).to_owned(),
        None => text_of(source)?,
    };
    Scenario::parse(&text).map_err(|error| format!("{source}: {error}"))
}

/// At most one byte more than a scenario may have, so that a larger one is refused and not read to its end.
fn text_of(source: &str) -> Result<String, String> {
    let mut text = String::new();
    let most = TEXT_BYTES_MAX as u64 + 1;
    let read = if source == "-" {
        std::io::stdin().take(most).read_to_string(&mut text)
    } else {
        let file = File::open(source).map_err(|error| {
            let names: Vec<&str> = SHELF.iter().map(|(name, _)| *name).collect();
            format!(
                "{source}: {error}; a scenario is a file, -, seed:N, or one of {}",
                names.join(", ")
            )
        })?;
        file.take(most).read_to_string(&mut text)
    };
    read.map(|_| text).map_err(said)
}
