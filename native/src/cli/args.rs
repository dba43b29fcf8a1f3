//! What a person may type after `fencepost`.
//!
//! It knows commands, options and their help. It deliberately does nothing.

use clap::{Args, Parser, Subcommand, ValueEnum};
use fencepost_core::bugs::{Bug, CHAPTER, Chosen};
use std::ops::Range;

/// A task queue you can see, break and build: its simulation from the command line.
#[derive(Debug, Parser)]
#[command(
    name = "fencepost",
    version,
    after_help = "Exit codes: 0 nothing is wrong, 1 something is red or differs, 2 asked wrongly."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run seeded chaos around the queue, under the oracle's eyes
    Chaos(Chaos),
    /// Add up what shards of a range wrote with --json
    Merge(Merge),
    /// Play a schedule and print its table
    Replay(Replay),
    /// Print a schedule's digest
    Digest(Replay),
    /// Write a schedule as a test, a transcript, a table, or a sealed scenario
    Export(Export),
    /// Make a red schedule as small as it can be
    Shrink(Shrink),
    /// Play a schedule by the chapter's rules and by a bug, up to the first difference
    Lockstep(Lockstep),
    /// From a row of a schedule, go on in many ways and count those that end red
    Onward(Onward),
    /// Look at every interleaving of a small scope
    Explore(Explore),
    /// List the planted bugs, or measure how chaos finds them
    Bugs(Bugs),
}

/// The rules to go by.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Rules {
    /// A planted bug, s01 to s19; without one the chapter's rules
    #[arg(long, value_parser = a_bug)]
    pub(crate) bug: Option<&'static Bug>,
}

impl Rules {
    pub(crate) fn chosen(self) -> Chosen {
        self.bug.map_or(CHAPTER, |bug| bug.rules)
    }

    /// As it is typed.
    pub(crate) fn option(self) -> String {
        self.bug
            .map_or_else(String::new, |bug| format!(" --bug {}", bug.id))
    }
}

#[derive(Debug, Args)]
pub(crate) struct Chaos {
    /// The seeds, from and to; the last is not run
    #[arg(long, value_name = "A..B", default_value = "0..1000", value_parser = a_range)]
    pub(crate) seeds: Range<u64>,
    #[command(flatten)]
    pub(crate) rules: Rules,
    /// Run only every n-th seed: the part i of n parts, i from 0
    #[arg(long, value_name = "I/N", default_value = "0/1", value_parser = a_shard)]
    pub(crate) shard: Shard,
    /// Print one JSON object, to be merged
    #[arg(long)]
    pub(crate) json: bool,
    /// Print what was met, and fail if anything never was
    #[arg(long)]
    pub(crate) hits: bool,
    /// How many threads; without it as many as the machine has
    #[arg(long)]
    pub(crate) threads: Option<usize>,
}

#[derive(Debug, Args)]
pub(crate) struct Merge {
    /// Files that `fencepost chaos --json` wrote
    #[arg(required = true)]
    pub(crate) files: Vec<String>,
    /// Print one JSON object, to be merged further
    #[arg(long)]
    pub(crate) json: bool,
    /// Print what was met, and fail if anything never was
    #[arg(long)]
    pub(crate) hits: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Replay {
    /// A scenario: a file, - for the input, a built-in name, or seed:N for what chaos makes of a seed
    pub(crate) source: String,
    #[command(flatten)]
    pub(crate) rules: Rules,
}

#[derive(Debug, Args)]
pub(crate) struct Export {
    /// A scenario: a file, - for the input, a built-in name, or seed:N
    pub(crate) source: String,
    /// What to write
    #[arg(long = "as", value_enum)]
    pub(crate) format: Format,
    /// The planted bug that seed:N is run with
    #[command(flatten)]
    pub(crate) rules: Rules,
}

#[derive(Debug, Args)]
pub(crate) struct Bugs {
    /// Print a table of how chaos finds each within these seeds
    #[arg(long, value_name = "A..B", value_parser = a_range)]
    pub(crate) seeds: Option<Range<u64>>,
}

/// What an export is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// A Rust test of this queue
    Rust,
    /// A JavaScript test of a queue of your own
    Javascript,
    /// Lines on TCP connections
    Tcp,
    /// A table, as the chapter has it
    Markdown,
    /// The scenario with its outcomes and digest, as every command reads it
    Json,
}

#[derive(Debug, Args)]
pub(crate) struct Shrink {
    /// A scenario: a file, - for the input, a built-in name, or seed:N
    pub(crate) source: String,
    #[command(flatten)]
    pub(crate) rules: Rules,
    /// Print the smallest schedule as a scenario
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Lockstep {
    /// A scenario: a file, - for the input, a built-in name, or seed:N
    pub(crate) source: String,
    /// The planted bug to compare with, s01 to s19
    #[arg(long, value_parser = a_bug)]
    pub(crate) bug: &'static Bug,
}

#[derive(Debug, Args)]
pub(crate) struct Onward {
    /// A scenario: a file, - for the input, a built-in name, or seed:N
    pub(crate) source: String,
    /// Go on from after this row; without it from after each row in turn
    #[arg(long)]
    pub(crate) row: Option<usize>,
    /// The seeds of the ways onward
    #[arg(long, value_name = "A..B", default_value = "0..100", value_parser = a_range)]
    pub(crate) seeds: Range<u64>,
    #[command(flatten)]
    pub(crate) rules: Rules,
}

#[derive(Debug, Args)]
pub(crate) struct Explore {
    /// Tasks, 1 to 3
    #[arg(long, default_value_t = 2)]
    pub(crate) tasks: u8,
    /// Workers, 1 to 3
    #[arg(long, default_value_t = 2)]
    pub(crate) workers: u8,
    /// Deliveries before the dead letters, 1 to 3
    #[arg(long, default_value_t = 2)]
    pub(crate) attempts: u8,
    /// The last step of the clock; a lease lasts two
    #[arg(long)]
    pub(crate) horizon: Option<u8>,
    /// How often an id may be enqueued
    #[arg(long)]
    pub(crate) lives: Option<u8>,
    /// Let strangers guess tokens
    #[arg(long)]
    pub(crate) guesses: bool,
    /// The most states to hold, in thousands
    #[arg(long, value_name = "THOUSAND", default_value_t = 50_000)]
    pub(crate) states: usize,
    #[command(flatten)]
    pub(crate) rules: Rules,
    /// Print the counterexample as a scenario, or the counts as a JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// One part of many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shard {
    pub(crate) index: u64,
    pub(crate) of: u64,
}

fn a_bug(text: &str) -> Result<&'static Bug, String> {
    Bug::named(text).map_err(|error| error.to_string())
}

fn a_range(text: &str) -> Result<Range<u64>, String> {
    let wrong = || format!("a range is A..B with A below B, this is {text:?}");
    let (from, to) = text.split_once("..").ok_or_else(wrong)?;
    let number = |part: &str| part.parse::<u64>().map_err(|_| wrong());
    let range = number(from)?..number(to)?;
    if range.is_empty() {
        Err(wrong())
    } else {
        Ok(range)
    }
}

fn a_shard(text: &str) -> Result<Shard, String> {
    let wrong = || format!("a shard is I/N with I below N, this is {text:?}");
    let (index, of) = text.split_once('/').ok_or_else(wrong)?;
    let number = |part: &str| part.parse::<u64>().map_err(|_| wrong());
    let shard = Shard {
        index: number(index)?,
        of: number(of)?,
    };
    if shard.index < shard.of {
        Ok(shard)
    } else {
        Err(wrong())
    }
}
