//! Places for tasks, in chunks: a place's number stays, and growing never moves what is there.
//!
//! It knows which places are free. It deliberately knows nothing of what stands in them.

use alloc::boxed::Box;
use alloc::vec::Vec;

/// How many places a chunk has.
const CHUNK: usize = 256;

/// A place's number.
pub(super) type Slot = u32;

/// The places.
#[derive(Clone, Debug)]
pub(super) struct Slab<T> {
    chunks: Vec<Box<[Option<T>]>>,
    free: Vec<Slot>,
    used: usize,
}

impl<T> Default for Slab<T> {
    fn default() -> Self {
        Slab {
            chunks: Vec::new(),
            free: Vec::new(),
            used: 0,
        }
    }
}

impl<T> Slab<T> {
    /// How many places are taken.
    pub(super) fn len(&self) -> usize {
        self.used
    }

    /// Takes a place. Task ids are what limits their number, at 2^32 far beyond any memory.
    pub(super) fn insert(&mut self, value: T) -> Slot {
        if self.free.is_empty() {
            self.grow();
        }
        let slot = self.free.pop().unwrap_or_default();
        if let Some(place) = self.place(slot) {
            *place = Some(value);
        }
        self.used += 1;
        slot
    }

    /// Frees a place. The last one to go takes the memory with it.
    pub(super) fn remove(&mut self, slot: Slot) -> Option<T> {
        let value = self.place(slot)?.take()?;
        self.used -= 1;
        if self.used == 0 {
            *self = Slab::default();
        } else {
            self.free.push(slot);
        }
        Some(value)
    }

    pub(super) fn get(&self, slot: Slot) -> Option<&T> {
        self.chunks.get(slot as usize / CHUNK)?[slot as usize % CHUNK].as_ref()
    }

    pub(super) fn get_mut(&mut self, slot: Slot) -> Option<&mut T> {
        self.place(slot)?.as_mut()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.chunks.iter().flat_map(|chunk| chunk.iter().flatten())
    }

    fn place(&mut self, slot: Slot) -> Option<&mut Option<T>> {
        Some(&mut self.chunks.get_mut(slot as usize / CHUNK)?[slot as usize % CHUNK])
    }

    fn grow(&mut self) {
        let first = self.chunks.len() * CHUNK;
        self.chunks.push((0..CHUNK).map(|_| None).collect());
        self.free
            .extend((first..first + CHUNK).rev().map(|slot| slot as Slot));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_kept_freed_and_taken_again() {
        let mut slab = Slab::default();
        let slots: Vec<Slot> = (0..1_000).map(|value| slab.insert(value)).collect();
        assert!(
            slots
                .iter()
                .enumerate()
                .all(|(value, slot)| slab.get(*slot) == Some(&value))
        );
        assert_eq!(slab.remove(slots[7]), Some(7));
        assert_eq!(
            (slab.remove(slots[7]), slab.get(slots[7]), slab.len()),
            (None, None, 999)
        );
        assert_eq!(slab.insert(1_000), slots[7]);
        assert_eq!(slab.iter().count(), 1_000);
    }

    #[test]
    fn an_empty_slab_keeps_no_memory() {
        let mut slab = Slab::default();
        let slots: Vec<Slot> = (0..1_000).map(|value| slab.insert(value)).collect();
        assert!(slots.iter().all(|slot| slab.remove(*slot).is_some()));
        assert_eq!(
            (slab.chunks.capacity(), slab.free.capacity(), slab.len()),
            (0, 0, 0)
        );
    }
}
