//! `cargo bench -p fencepost-core --bench queue`: each call and the whole cycle at 1 thousand, 100 thousand
//! and 1 million held tasks, ours beside a floor and the plain way in the same run, and replay.
//!
//! Half of the tasks are visible and half are leased; answers come in random order. It deliberately judges
//! nothing: a figure is not a test.

#![allow(missing_docs)]

#[allow(dead_code)] // it counts no memory
mod steady;
mod subject;
mod yardstick {
    pub(crate) mod floor;
    pub(crate) mod plain;
}

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use fencepost_core::log::{Log, MemoryLog};
use fencepost_core::queue::Queue;
use fencepost_core::rules::Chapter;
use fencepost_core::task::{Options, QueueName, Task, TaskId};
use fencepost_core::time::Timestamp;
use std::cell::RefCell;
use steady::Steady;
use subject::{Ours, Subject, id};
use yardstick::{floor::Floor, plain::Plain};

const HELD: [usize; 3] = [1_000, 100_000, 1_000_000];

fn main() {
    divan::main();
}

/// Enqueue, poll, and complete a random lease.
#[divan::bench(types = [Ours, Plain, Floor], args = HELD, sample_size = 1000)]
fn cycle<S: Subject>(bencher: Bencher, held: usize) {
    let mut steady = Steady::<S>::new(held);
    bencher.bench_local(|| {
        steady.enqueue();
        steady.poll();
        steady.complete();
    });
}

#[divan::bench(types = [Ours, Plain, Floor], args = HELD, sample_size = 100)]
fn enqueue<S: Subject>(bencher: Bencher, held: usize) {
    let steady = RefCell::new(Steady::<S>::new(held));
    let make_room = || {
        steady.borrow_mut().poll();
        steady.borrow_mut().complete();
    };
    bencher
        .with_inputs(make_room)
        .bench_local_values(|()| steady.borrow_mut().enqueue());
}

#[divan::bench(types = [Ours, Plain, Floor], args = HELD, sample_size = 100)]
fn poll<S: Subject>(bencher: Bencher, held: usize) {
    let steady = RefCell::new(Steady::<S>::new(held));
    let refill = || {
        steady.borrow_mut().complete();
        steady.borrow_mut().enqueue();
    };
    bencher
        .with_inputs(refill)
        .bench_local_values(|()| steady.borrow_mut().poll());
}

#[divan::bench(types = [Ours, Plain, Floor], args = HELD, sample_size = 100)]
fn complete<S: Subject>(bencher: Bencher, held: usize) {
    let steady = RefCell::new(Steady::<S>::new(held));
    let refill = || {
        steady.borrow_mut().enqueue();
        steady.borrow_mut().poll();
    };
    bencher
        .with_inputs(refill)
        .bench_local_values(|()| steady.borrow_mut().complete());
}

#[divan::bench(types = [Ours, Plain, Floor], args = HELD, sample_size = 100)]
fn heartbeat<S: Subject>(bencher: Bencher, held: usize) {
    let mut steady = Steady::<S>::new(held);
    bencher.bench_local(|| steady.heartbeat());
}

#[divan::bench(types = [Ours, Plain, Floor], args = HELD, sample_size = 100)]
fn fail<S: Subject>(bencher: Bencher, held: usize) {
    let steady = RefCell::new(Steady::<S>::new(held));
    bencher
        .with_inputs(|| steady.borrow_mut().poll())
        .bench_local_values(|()| steady.borrow_mut().fail());
}

#[divan::bench(types = [Ours, Plain, Floor], args = HELD, sample_size = 1000)]
fn depth<S: Subject>(bencher: Bencher, held: usize) {
    let mut steady = Steady::<S>::new(held);
    bencher.bench_local(|| black_box(steady.depth()));
}

/// Records a second: a log of enqueues, leases and acknowledgements is opened.
#[divan::bench(args = [3_000, 300_000], sample_count = 10)]
fn replay(bencher: Bencher, records: usize) {
    let (name, options) = (QueueName::new("bench").unwrap(), Options::default());
    let mut queue = Queue::empty(MemoryLog::new(), Chapter, options);
    for n in 0..records as u64 / 3 {
        let now = Timestamp::from_millis(n);
        queue
            .enqueue(now, &name, &Task::new(TaskId::new(id(n)).unwrap()))
            .unwrap();
        let lease = queue.poll(now, &name, "w").unwrap();
        queue.complete(now, &lease.id()).unwrap();
    }
    let entries = queue.log().entries().to_vec();
    bencher
        .counter(ItemsCount::new(records))
        .with_inputs(|| MemoryLog::with_entries(entries.clone()))
        .bench_local_values(|log| Queue::open(log, Chapter, options).unwrap());
}
