//! A queue that always holds the same number of tasks, half of them leased, answered in random order.
//!
//! It knows which leases are out and how fake time goes by: 1 ms every 256 calls, so that a lease is
//! answered long before its deadline. It deliberately measures nothing.

use crate::subject::Subject;

/// A subject in a steady state.
pub(crate) struct Steady<S: Subject> {
    subject: S,
    leases: Vec<S::Lease>,
    task_next: u64,
    calls: u64,
    dice: u64,
}

impl<S: Subject> Steady<S> {
    /// Holds so many tasks, the first half of them leased.
    pub(crate) fn new(held: usize) -> Self {
        let mut steady = Steady {
            subject: S::new(),
            leases: Vec::new(),
            task_next: 0,
            calls: 0,
            dice: 7,
        };
        (0..held).for_each(|_| steady.enqueue());
        (0..held / 2).for_each(|_| steady.poll());
        steady
    }

    pub(crate) fn enqueue(&mut self) {
        let (now, task) = (self.now(), self.task_next);
        self.task_next += 1;
        self.subject.enqueue(now, task);
    }

    pub(crate) fn poll(&mut self) {
        let now = self.now();
        let lease = self
            .subject
            .poll(now)
            .expect("half of the tasks are visible");
        self.leases.push(lease);
    }

    pub(crate) fn complete(&mut self) {
        let now = self.now();
        let any = self.any();
        let lease = self.leases.swap_remove(any);
        self.subject.complete(now, &lease);
    }

    pub(crate) fn heartbeat(&mut self) {
        let now = self.now();
        let any = self.any();
        self.subject.heartbeat(now, &self.leases[any]);
    }

    pub(crate) fn fail(&mut self) {
        let now = self.now();
        let any = self.any();
        let lease = self.leases.swap_remove(any);
        self.subject.fail(now, &lease, 1);
    }

    pub(crate) fn depth(&mut self) -> usize {
        let now = self.now();
        self.subject.depth(now)
    }

    /// Goes round so often, so that the memory is as worn as after a while of use.
    pub(crate) fn churn(&mut self, rounds: usize) {
        for _ in 0..rounds {
            self.enqueue();
            self.poll();
            self.complete();
        }
    }

    /// The queue alone, without the leases that its workers remember.
    pub(crate) fn into_subject(self) -> S {
        self.subject
    }

    fn now(&mut self) -> u64 {
        self.calls += 1;
        self.calls / 256
    }

    /// A random lease's place (xorshift).
    fn any(&mut self) -> usize {
        self.dice ^= self.dice << 13;
        self.dice ^= self.dice >> 7;
        self.dice ^= self.dice << 17;
        (self.dice % self.leases.len() as u64) as usize
    }
}
