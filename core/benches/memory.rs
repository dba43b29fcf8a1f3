//! `cargo bench -p fencepost-core --bench memory`: the bytes that a held task costs beyond its payload.
//!
//! It counts what was asked of the allocator and not given back. It deliberately judges nothing.

#![allow(missing_docs)]

#[allow(dead_code)] // it times nothing
mod steady;
#[allow(dead_code)]
mod subject;
mod yardstick {
    pub(crate) mod floor;
    pub(crate) mod plain;
}

use peak_alloc::PeakAlloc;
use steady::Steady;
use subject::{Ours, Subject};
use yardstick::{floor::Floor, plain::Plain};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

fn main() {
    println!("bytes a held task, half visible and half leased");
    println!("{:>10} {:>8} {:>8} {:>8}", "held", "ours", "plain", "floor");
    for held in [1_000, 100_000, 1_000_000, 1_500_000] {
        let row = [
            bytes_a_task::<Ours>(held),
            bytes_a_task::<Plain>(held),
            bytes_a_task::<Floor>(held),
        ];
        println!("{held:>10} {:>8} {:>8} {:>8}", row[0], row[1], row[2]);
    }
}

fn bytes_a_task<S: Subject>(held: usize) -> usize {
    let before = ALLOCATOR.current_usage();
    let mut steady = Steady::<S>::new(held);
    steady.churn(held);
    let subject = steady.into_subject();
    let bytes = ALLOCATOR.current_usage() - before;
    drop(subject);
    bytes / held
}
