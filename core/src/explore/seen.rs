//! The states that were seen, and how each was reached first.
//!
//! It knows them packed, in the order in which they were found. It deliberately knows no action and no rule.

use super::packed::Packed;
use alloc::vec::Vec;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

/// So many places for states that were just seen.
const RECENT: usize = 4_096;

/// A state that was seen. What most look-ups need stands together, so that they touch memory once.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// The packed state's two halves: together they would be aligned to twice as much.
    packed: [u64; 2],
    state: u32,
    /// By how few calls it was reached.
    calls: u8,
}

/// How a state was reached.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    pub(super) from: u32,
    /// Which action, by its place among all.
    pub(super) action: u8,
    /// How many calls it took. A step of the clock is none.
    pub(super) calls: u8,
    pub(super) is_done: bool,
}

/// All that was seen.
#[derive(Debug)]
pub(super) struct Seen {
    pub(super) states: Vec<Packed>,
    pub(super) ways: Vec<Way>,
    index: HashTable<Known>,
    /// The last states that were reached, and by how few calls, each at a place of its own.
    recent: Vec<(Packed, u8)>,
}

impl Seen {
    pub(super) fn nothing() -> Self {
        Seen {
            states: Vec::new(),
            ways: Vec::new(),
            index: HashTable::new(),
            recent: alloc::vec![(Packed::MAX, 0); RECENT],
        }
    }

    /// Whether the state is among the last few thousand that were reached, by as few calls: neighbours lead to
    /// the same states, and this memory is near.
    pub(super) fn was_just_seen(&mut self, packed: Packed, calls: u8) -> bool {
        let place = hash(halves(packed)) as usize % RECENT;
        let recent = &mut self.recent[place];
        let seen = recent.0 == packed && recent.1 <= calls;
        if !seen {
            *recent = (packed, calls);
        }
        seen
    }

    /// Keeps a state that was not seen before, or not by so few calls; then it is to be looked at.
    pub(super) fn reach(&mut self, packed: Packed, way: Way) -> Option<u32> {
        let halves = halves(packed);
        let found = self.index.entry(
            hash(halves),
            |known| known.packed == halves,
            |known| hash(known.packed),
        );
        match found {
            Entry::Occupied(mut known) => {
                let known = known.get_mut();
                if way.calls >= known.calls {
                    return None;
                }
                known.calls = way.calls;
                self.ways[known.state as usize] = way;
                Some(known.state)
            }
            Entry::Vacant(vacant) => {
                let (state, calls) = (self.states.len() as u32, way.calls);
                vacant.insert(Known {
                    packed: halves,
                    state,
                    calls,
                });
                self.states.push(packed);
                self.ways.push(way);
                Some(state)
            }
        }
    }

    /// The actions on the way to a state, by their places among all.
    pub(super) fn actions_to(&self, mut state: usize) -> Vec<u8> {
        let mut back = Vec::new();
        while state > 0 {
            let way = self.ways[state];
            back.push(way.action);
            state = way.from as usize;
        }
        back.reverse();
        back
    }
}

fn halves(packed: Packed) -> [u64; 2] {
    [packed as u64, (packed >> 64) as u64]
}

/// A multiplication whose halves are folded together: quick, and spread enough for states, which nobody
/// chooses to collide.
fn hash([low, high]: [u64; 2]) -> u64 {
    let (low, high) = (low ^ 0x9e37_79b9_7f4a_7c15, high ^ 0xbf58_476d_1ce4_e5b9);
    let product = u128::from(low) * u128::from(high);
    product as u64 ^ (product >> 64) as u64
}
