//! The plain way: a hash map of strings and two ordered maps, as most people would write a queue first.
//!
//! It has ids, leases, tokens and retries. It deliberately has no rule apart, no dead letters, no log.

use crate::subject::{Subject, VISIBILITY, id};
use std::collections::{BTreeMap, HashMap};

struct Entry {
    sequence: u64,
    attempt: u32,
    place: (u64, u64),
    leased: Option<(u64, u64)>,
    _payload: Vec<u8>,
}

/// The plain way.
#[derive(Default)]
pub(crate) struct Plain {
    tasks: HashMap<String, Entry>,
    ready: BTreeMap<(u64, u64), String>,
    leased: BTreeMap<(u64, u64), String>,
    token: u64,
    sequence: u64,
}

impl Plain {
    fn settle(&mut self, now: u64) {
        while let Some((&(deadline, sequence), _)) = self.leased.first_key_value() {
            if deadline > now {
                break;
            }
            let id = self.leased.remove(&(deadline, sequence)).unwrap();
            let entry = self.tasks.get_mut(&id).unwrap();
            entry.leased = None;
            entry.place = (deadline, entry.sequence);
            self.ready.insert(entry.place, id);
        }
    }

    /// The task's entry, if this is its newest lease; the lease is taken off.
    fn take(&mut self, lease: &(String, u64)) -> Option<&mut Entry> {
        let entry = self.tasks.get_mut(&lease.0)?;
        let (token, deadline) = entry.leased?;
        if token != lease.1 {
            return None;
        }
        self.leased.remove(&(deadline, entry.sequence));
        entry.leased = None;
        Some(entry)
    }
}

impl Subject for Plain {
    type Lease = (String, u64);

    fn new() -> Self {
        Plain::default()
    }

    fn enqueue(&mut self, now: u64, n: u64) {
        let id = id(n);
        if self.tasks.contains_key(&id) {
            return;
        }
        let sequence = self.sequence;
        self.sequence += 1;
        let place = (now, sequence);
        let entry = Entry {
            sequence,
            attempt: 0,
            place,
            leased: None,
            _payload: Vec::new(),
        };
        self.tasks.insert(id.clone(), entry);
        self.ready.insert(place, id);
    }

    fn poll(&mut self, now: u64) -> Option<(String, u64)> {
        self.settle(now);
        let (&place, _) = self
            .ready
            .first_key_value()
            .filter(|(place, _)| place.0 <= now)?;
        let id = self.ready.remove(&place)?;
        self.token += 1;
        let entry = self.tasks.get_mut(&id)?;
        let deadline = now + VISIBILITY.as_millis() as u64;
        entry.attempt += 1;
        entry.leased = Some((self.token, deadline));
        self.leased.insert((deadline, entry.sequence), id.clone());
        Some((id, self.token))
    }

    fn complete(&mut self, now: u64, lease: &(String, u64)) {
        self.settle(now);
        self.take(lease).unwrap();
        self.tasks.remove(&lease.0);
    }

    fn heartbeat(&mut self, now: u64, lease: &(String, u64)) {
        self.settle(now);
        let entry = self.take(lease).unwrap();
        let deadline = now + VISIBILITY.as_millis() as u64;
        entry.leased = Some((lease.1, deadline));
        let sequence = entry.sequence;
        self.leased.insert((deadline, sequence), lease.0.clone());
    }

    fn fail(&mut self, now: u64, lease: &(String, u64), retry_ms: u64) {
        self.settle(now);
        let entry = self.take(lease).unwrap();
        entry.place = (now + retry_ms, entry.sequence);
        let place = entry.place;
        self.ready.insert(place, lease.0.clone());
    }

    fn depth(&mut self, now: u64) -> usize {
        self.settle(now);
        self.ready.len() + self.leased.len()
    }
}
