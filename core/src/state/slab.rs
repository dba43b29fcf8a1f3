//! Places for tasks, in chunks: a place's number stays, growing moves nothing, and an empty chunk is given
//! back.
//!
//! It knows which places are free. It deliberately knows nothing of what stands in them.

use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::vec::Vec;

/// How many places a chunk has.
const CHUNK: usize = 256;
/// Which places of a chunk are taken: a bit each.
type Taken = [u64; CHUNK / 64];

/// A place's number.
pub(super) type Slot = u32;

/// The places.
#[derive(Clone, Debug)]
pub(super) struct Slab<T> {
    chunks: Vec<Option<Box<Chunk<T>>>>,
    /// The chunks with a free place; the first of them is used first, so that later ones become empty.
    open: BTreeSet<usize>,
    len: usize,
}

#[derive(Clone, Debug)]
struct Chunk<T> {
    places: [Option<T>; CHUNK],
    taken: Taken,
}

impl<T> Default for Slab<T> {
    fn default() -> Self {
        Slab {
            chunks: Vec::new(),
            open: BTreeSet::new(),
            len: 0,
        }
    }
}

impl<T> Slab<T> {
    /// How many places are taken.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Takes a place. Slots number 2^32, and memory ends long before them.
    pub(super) fn insert(&mut self, value: T) -> Slot {
        let index = self
            .open
            .first()
            .copied()
            .unwrap_or_else(|| self.new_chunk());
        let chunk = self.chunks[index].get_or_insert_with(|| Box::new(Chunk::new()));
        let place = chunk.take(value);
        if chunk.is_full() {
            self.open.remove(&index);
        }
        self.len += 1;
        (index * CHUNK + place) as Slot
    }

    /// Frees a place. A chunk that becomes empty is given back, but for the first.
    pub(super) fn remove(&mut self, slot: Slot) -> Option<T> {
        let (index, place) = (slot as usize / CHUNK, slot as usize % CHUNK);
        let chunk = self.chunks.get_mut(index)?.as_mut()?;
        let value = chunk.places[place].take()?;
        chunk.taken[place / 64] &= !(1 << (place % 64));
        if chunk.is_empty() && index > 0 {
            self.chunks[index] = None;
        }
        self.open.insert(index);
        self.len -= 1;
        self.forget_last_chunks();
        Some(value)
    }

    pub(super) fn get(&self, slot: Slot) -> Option<&T> {
        self.chunks.get(slot as usize / CHUNK)?.as_ref()?.places[slot as usize % CHUNK].as_ref()
    }

    pub(super) fn get_mut(&mut self, slot: Slot) -> Option<&mut T> {
        self.chunks.get_mut(slot as usize / CHUNK)?.as_mut()?.places[slot as usize % CHUNK].as_mut()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.chunks
            .iter()
            .flatten()
            .flat_map(|chunk| chunk.places.iter().flatten())
    }

    fn new_chunk(&mut self) -> usize {
        self.chunks.push(None);
        self.open.insert(self.chunks.len() - 1);
        self.chunks.len() - 1
    }

    /// Chunks that were given back at the end are forgotten whole.
    fn forget_last_chunks(&mut self) {
        while let Some(None) = self.chunks.last() {
            self.chunks.pop();
            self.open.remove(&self.chunks.len());
        }
    }
}

impl<T> Chunk<T> {
    fn new() -> Self {
        Chunk {
            places: [const { None }; CHUNK],
            taken: [0; CHUNK / 64],
        }
    }

    /// Takes the first free place; there is one.
    fn take(&mut self, value: T) -> usize {
        let word = self
            .taken
            .iter()
            .position(|word| *word != u64::MAX)
            .unwrap_or_default();
        let bit = self.taken[word].trailing_ones() as usize;
        self.taken[word] |= 1 << bit;
        self.places[word * 64 + bit] = Some(value);
        word * 64 + bit
    }

    fn is_full(&self) -> bool {
        self.taken == [u64::MAX; CHUNK / 64]
    }

    fn is_empty(&self) -> bool {
        self.taken == [0; CHUNK / 64]
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
        assert_eq!(slab.insert(1_000), slots[7], "the first free place");
        slab.get_mut(slots[7])
            .into_iter()
            .for_each(|value| *value += 1);
        assert_eq!(slab.iter().count(), 1_000);
        assert_eq!(slab.iter().copied().max(), Some(1_001));
    }

    #[test]
    fn an_emptied_slab_keeps_one_chunk() {
        let mut slab = Slab::default();
        let slots: Vec<Slot> = (0..10_000).map(|value| slab.insert(value)).collect();
        assert_eq!(slab.chunks.len(), 10_000usize.div_ceil(CHUNK));
        assert!(slots.iter().all(|slot| slab.remove(*slot).is_some()));
        assert_eq!((slab.chunks.len(), slab.open.len(), slab.len()), (1, 1, 0));
        assert_eq!(slab.insert(1), 0);
    }

    #[test]
    fn a_chunk_that_is_empty_in_the_middle_is_given_back_and_made_anew() {
        let mut slab = Slab::default();
        let slots: Vec<Slot> = (0..3 * CHUNK).map(|value| slab.insert(value)).collect();
        assert!(
            slots[CHUNK..2 * CHUNK]
                .iter()
                .all(|slot| slab.remove(*slot).is_some())
        );
        assert!(slab.chunks[1].is_none());
        assert_eq!(slab.get(slots[CHUNK]), None);
        assert_eq!(slab.insert(9), slots[CHUNK]);
        assert_eq!(slab.len(), 2 * CHUNK + 1);
    }
}
