//! `fencepost replay`, `digest` and `export`: what a schedule comes to, by the chapter or by a bug.
//!
//! It knows how a run is shown. It deliberately judges nothing: the oracle does.

use super::args::{Export, Format, Replay, Rules};
use super::print::say;
use super::print::table;
use super::{Ended, Outcome, said, source};
use fencepost_core::bugs::Chosen;
use fencepost_core::export::{javascript_test, markdown_table, rust_test, tcp_transcript};
use fencepost_core::run::{Run, sealed};
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
    let seal = run.broken_seal().filter(|_| asked.rules.bug.is_none());
    if let Some(why) = &seal {
        say!("{why}");
    }
    let is_other = differs.is_some() || seal.is_some();
    Ok(Ended::red_if(red.is_some() || is_other))
}

pub(crate) fn export(asked: &Export) -> Outcome {
    let scenario = source::read(&asked.source, asked.rules)?;
    let text = match asked.format {
        Format::Rust => rust_test(&scenario, "exported"),
        Format::Javascript => javascript_test(&scenario).map_err(said)?,
        Format::Tcp => tcp_transcript(&scenario),
        Format::Markdown => markdown_table(&scenario),
        Format::Json => sealed(scenario).to_json(),
    };
    say!("{}", text.trim_end());
    Ok(Ended::Well)
}

pub(crate) fn digest(asked: &Replay) -> Outcome {
    say!("{}", played(&asked.source, asked.rules)?.digest());
    Ok(Ended::Well)
}
