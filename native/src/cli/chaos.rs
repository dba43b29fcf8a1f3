//! `fencepost chaos` and `fencepost merge`: many seeds on all cores, added up.
//!
//! It knows threads, shards and a progress bar. It deliberately judges nothing: the oracle does.

use super::args::{Chaos, Merge, Rules, Shard};
use super::print::say;
use super::print::{grouped, table};
use super::{Ended, Outcome, said};
use fencepost_core::run::Run;
use fencepost_core::sim::batch::Batch;
use fencepost_core::sim::hits::Hits;
use fencepost_core::sim::plan::Plan;
use fencepost_core::sim::run;
use indicatif::{ProgressBar, ProgressStyle};
use std::fs;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

/// A thread takes so many seeds at a time.
const PORTION: u64 = 64;

pub(crate) fn chaos(asked: &Chaos) -> Outcome {
    if asked.seeds.end - asked.seeds.start == 1 && !asked.json {
        return one(asked.seeds.start, asked.rules);
    }
    let begun = Instant::now();
    let batch = all(asked);
    if asked.json {
        say!("{}", serde_json::to_string(&batch).map_err(said)?);
        return Ok(Ended::red_if(batch.red > 0));
    }
    let seconds = begun.elapsed().as_secs_f64();
    say!(
        "{} seeds, {} calls, {} red, in {seconds:.1} s ({} seeds and {} calls a second)",
        grouped(batch.seeds),
        grouped(batch.calls),
        grouped(batch.red),
        grouped((batch.seeds as f64 / seconds) as u64),
        grouped((batch.calls as f64 / seconds) as u64),
    );
    Ok(told(&batch, asked.hits, &asked.rules.option()))
}

pub(crate) fn merge(asked: &Merge) -> Outcome {
    let mut batch = Batch::default();
    for file in &asked.files {
        let text = fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
        let part: Batch = serde_json::from_str(&text).map_err(|error| {
            format!("{file}: {error}; merge takes what `fencepost chaos --json` wrote")
        })?;
        batch.merge(part);
    }
    if asked.json {
        say!("{}", serde_json::to_string(&batch).map_err(said)?);
        return Ok(Ended::red_if(batch.red > 0));
    }
    say!(
        "{} seeds, {} calls, {} red",
        grouped(batch.seeds),
        grouped(batch.calls),
        grouped(batch.red)
    );
    Ok(told(&batch, asked.hits, ""))
}

/// The digest, the red seeds each with the command that shows it again, and what was met.
fn told(batch: &Batch, hits: bool, option: &str) -> Ended {
    say!("digest {:016x}", batch.digest);
    for red in batch.reds.iter().take(10) {
        say!(
            "\nseed {}, row {}: {}: {}",
            red.seed,
            red.row,
            red.property,
            red.what
        );
        say!("{}", Plan::draw(red.seed));
        say!(
            "again: fencepost chaos --seeds {}..{}{option}",
            red.seed,
            red.seed + 1
        );
    }
    if batch.red > 10 {
        say!("\nand {} more", grouped(batch.red - 10));
    }
    let missing = batch.hits.missing();
    if hits {
        say!("\n{}\n", batch.hits.table());
        for (what, count) in batch.hits.sometimes() {
            say!("{:>12} {what}", grouped(count));
        }
        for what in &missing {
            say!("never met: {what}");
        }
    }
    Ended::red_if(batch.red > 0 || (hits && !missing.is_empty()))
}

/// One seed, in full: its plan first, then every call.
fn one(seed: u64, rules: Rules) -> Outcome {
    say!("{}\n", Plan::draw(seed));
    let story = run(seed, rules.chosen(), &mut Hits::default());
    table(&Run::with_rules(story.scenario(), rules.chosen()));
    say!("\ndigest {}", story.digest);
    match &story.red {
        None => say!("nothing is red"),
        Some(red) => {
            say!("red: {red}");
            say!("smaller: fencepost shrink seed:{seed}{}", rules.option());
        }
    }
    Ok(Ended::red_if(story.red.is_some()))
}

fn all(asked: &Chaos) -> Batch {
    let Range { start, end } = asked.seeds;
    let bar = progress(end - start);
    let next = AtomicU64::new(start);
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let threads = asked.threads.unwrap_or(cores).max(1);
    let mut batch = Batch::default();
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|_| scope.spawn(|| portions(asked, &next, &bar)))
            .collect();
        for worker in workers {
            match worker.join() {
                Ok(part) => batch.merge(part),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    bar.finish_and_clear();
    batch
}

fn portions(asked: &Chaos, next: &AtomicU64, bar: &ProgressBar) -> Batch {
    let mut batch = Batch::default();
    loop {
        let from = next.fetch_add(PORTION, Ordering::Relaxed);
        if from >= asked.seeds.end {
            return batch;
        }
        let to = (from + PORTION).min(asked.seeds.end);
        for seed in (from..to).filter(|seed| is_mine(asked.shard, *seed)) {
            match asked.rules.bug {
                // Each bug by its own type would be nineteen copies; the chapter is what most runs are for.
                None => batch.add(seed, fencepost_core::rules::Chapter),
                Some(bug) => batch.add(seed, bug.rules),
            };
        }
        bar.inc(to - from);
    }
}

fn is_mine(shard: Shard, seed: u64) -> bool {
    seed % shard.of == shard.index
}

/// On a terminal, a bar on the error output; elsewhere nothing.
fn progress(seeds: u64) -> ProgressBar {
    let bar = ProgressBar::new(seeds);
    if let Ok(style) =
        ProgressStyle::with_template("{bar:40} {human_pos} of {human_len} seeds, {eta} left")
    {
        bar.set_style(style);
    }
    bar
}
