//! Many seeds at once: what they came to, in numbers that add up however the range was split.
//!
//! It knows sums. It deliberately keeps no schedule: a seed is enough to see one again.

use super::hits::Hits;
use super::{Red, run};
use crate::rules::Rules;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// A batch keeps the first so many red seeds; the rest are counted.
pub const REDS_MAX: usize = 100;

/// What a range of seeds came to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Batch {
    /// How many seeds ran.
    pub seeds: u64,
    /// How many calls they made.
    pub calls: u64,
    /// How many ended red.
    pub red: u64,
    /// The lowest of them, at most [`REDS_MAX`], in order.
    pub reds: Vec<RedSeed>,
    /// The sum of the digests of all runs, so that the order does not matter.
    pub digest: u64,
    /// What was met.
    pub hits: Hits,
}

/// A seed that ended red.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RedSeed {
    /// The seed.
    pub seed: u64,
    /// The row at which it was seen.
    pub row: usize,
    /// The property, in a few words.
    pub property: String,
    /// What happened.
    pub what: String,
}

impl Batch {
    /// Runs one more seed; gives what it broke.
    pub fn add<R: Rules + Clone>(&mut self, seed: u64, rules: R) -> Option<Red> {
        let story = run(seed, rules, &mut self.hits);
        self.seeds += 1;
        self.calls += story.rows.len() as u64;
        self.digest = self.digest.wrapping_add(story.digest.as_number());
        if let Some(red) = &story.red {
            self.red += 1;
            self.keep(RedSeed {
                seed,
                row: red.row,
                property: red.property.name().to_string(),
                what: red.what.clone(),
            });
        }
        story.red
    }

    /// Adds what another part of the range came to.
    pub fn merge(&mut self, other: Batch) {
        self.seeds += other.seeds;
        self.calls += other.calls;
        self.red += other.red;
        self.digest = self.digest.wrapping_add(other.digest);
        self.hits.merge(&other.hits);
        other.reds.into_iter().for_each(|red| self.keep(red));
    }

    fn keep(&mut self, red: RedSeed) {
        let place = self.reds.partition_point(|kept| *kept < red);
        self.reds.insert(place, red);
        self.reds.truncate(REDS_MAX);
    }
}
