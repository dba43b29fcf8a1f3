//! Native is wasm, to the bit: seeds come to the digests that the file holds. The page's tests compare with
//! the same file, so that neither can drift alone.
//!
//! It knows ranges of seeds. It deliberately knows no digest; `FENCEPOST_KEEP=1` writes the file anew.

use fencepost_core::bugs::BUGS;
use fencepost_core::bugs::{CHAPTER, Chosen};
use fencepost_core::sim::batch::Batch;
use std::ops::Range;

/// Rules, seeds, digest, calls, and how many are red.
const PARITY: &str = include_str!("data/parity.txt");

fn line(name: &str, rules: Chosen, seeds: Range<u64>) -> String {
    let mut batch = Batch::default();
    seeds.clone().for_each(|seed| drop(batch.add(seed, rules)));
    let (from, to) = (seeds.start, seeds.end);
    let Batch {
        digest, calls, red, ..
    } = batch;
    format!("{name} {from} {to} {digest:016x} {calls} {red}\n")
}

#[test]
fn two_hundred_seeds_and_twenty_of_each_bug_come_to_what_is_written() {
    let mut lines = line("chapter", CHAPTER, 0..200);
    for bug in &BUGS {
        lines += &line(bug.id, bug.rules, 0..20);
    }
    if std::env::var_os("FENCEPOST_KEEP").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/data/parity.txt");
        std::fs::write(path, &lines).expect("a small file");
        return;
    }
    assert_eq!(lines, PARITY);
}
