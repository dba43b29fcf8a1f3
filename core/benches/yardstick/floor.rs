//! The floor: a slab and one queue, with no ids, no rules and no log. Nothing that holds tasks is faster.
//!
//! It hands numbers out and takes them back. It deliberately fences nothing and never expires a lease.

use crate::subject::Subject;
use std::collections::VecDeque;

/// The floor.
#[derive(Default)]
pub(crate) struct Floor {
    slab: Vec<(u64, u32)>,
    free: Vec<usize>,
    line: VecDeque<usize>,
    leased: usize,
}

impl Subject for Floor {
    type Lease = usize;

    fn new() -> Self {
        Floor::default()
    }

    fn enqueue(&mut self, _: u64, n: u64) {
        let slot = self.free.pop().unwrap_or(self.slab.len());
        if slot == self.slab.len() {
            self.slab.push((n, 0));
        } else {
            self.slab[slot] = (n, 0);
        }
        self.line.push_back(slot);
    }

    fn poll(&mut self, _: u64) -> Option<usize> {
        let slot = self.line.pop_front()?;
        self.slab[slot].1 += 1;
        self.leased += 1;
        Some(slot)
    }

    fn complete(&mut self, _: u64, lease: &usize) {
        self.leased -= 1;
        self.free.push(*lease);
    }

    fn heartbeat(&mut self, _: u64, lease: &usize) {
        self.slab[*lease].0 += 1;
    }

    fn fail(&mut self, _: u64, lease: &usize, _: u64) {
        self.leased -= 1;
        self.line.push_back(*lease);
    }

    fn depth(&mut self, _: u64) -> usize {
        self.line.len() + self.leased
    }
}
