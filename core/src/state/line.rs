//! Tasks in an order in which most of them arrive: by time, with ties in enqueue order.
//!
//! It knows who is first. An arrival behind everyone is a push at the end, and one that must stand further
//! in front goes into a tree. Whoever leaves from the middle leaves an empty place, which is found out by
//! asking and cleared away in bulk, so a leave costs next to nothing. It deliberately knows no task: a
//! caller says whether somebody still stands where it once stood.

use super::room::room_to_keep;
use super::slab::Slot;
use alloc::collections::{BTreeMap, VecDeque};

/// Fewer empty places than this are not worth clearing.
const EMPTY_MIN: usize = 64;

/// A line, ordered by key.
#[derive(Clone, Debug)]
pub(super) struct Line<K> {
    /// Rising keys; the first place is never empty.
    in_order: VecDeque<(K, Slot)>,
    /// Those who came out of order.
    others: BTreeMap<K, Slot>,
    /// How many stand here.
    standing: usize,
}

impl<K> Default for Line<K> {
    fn default() -> Self {
        Line {
            in_order: VecDeque::new(),
            others: BTreeMap::new(),
            standing: 0,
        }
    }
}

impl<K: Ord + Copy> Line<K> {
    /// How many stand here.
    pub(super) fn len(&self) -> usize {
        self.standing
    }

    /// Who is first.
    pub(super) fn first(&self) -> Option<(K, Slot)> {
        let front = self.in_order.front().copied();
        let other = self
            .others
            .first_key_value()
            .map(|(key, slot)| (*key, *slot));
        match (front, other) {
            (Some(front), Some(other)) => Some(if other.0 < front.0 { other } else { front }),
            (front, other) => front.or(other),
        }
    }

    /// All who stand here, in order.
    pub(super) fn iter(&self, stands: impl Fn(K, Slot) -> bool) -> impl Iterator<Item = Slot> {
        let mut all: BTreeMap<K, Slot> = self.others.clone();
        all.extend(
            self.in_order
                .iter()
                .copied()
                .filter(|(key, slot)| stands(*key, *slot)),
        );
        all.into_values()
    }

    /// Somebody takes a place.
    pub(super) fn stand(&mut self, key: K, slot: Slot) {
        self.standing += 1;
        if self.in_order.back().is_none_or(|(last, _)| *last < key) {
            self.in_order.push_back((key, slot));
        } else {
            self.others.insert(key, slot);
        }
    }

    /// Somebody who stood here has left, and by `stands` stands here no more.
    pub(super) fn left(&mut self, key: K, stands: impl Fn(K, Slot) -> bool) {
        self.standing -= 1;
        self.others.remove(&key);
        while let Some((first, slot)) = self.in_order.front()
            && !stands(*first, *slot)
        {
            self.in_order.pop_front();
        }
        let places = self.in_order.len() + self.others.len();
        if is_sparse(places, self.standing) {
            self.in_order.retain(|(key, slot)| stands(*key, *slot));
        }
        if let Some(room) = room_to_keep(self.in_order.len(), self.in_order.capacity()) {
            self.in_order.shrink_to(room);
        }
    }
}

/// Whether more than half of the places are empty, and enough of them to be worth clearing.
fn is_sparse(places: usize, standing: usize) -> bool {
    places > standing + EMPTY_MIN.max(standing)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    /// A line, and who stands in it by a second account.
    #[derive(Default)]
    struct Checked {
        line: Line<u64>,
        standing: BTreeMap<u64, Slot>,
    }

    impl Checked {
        fn stand(&mut self, key: u64) {
            self.standing.insert(key, key as Slot);
            self.line.stand(key, key as Slot);
            self.check();
        }

        fn leave(&mut self, key: u64) {
            self.standing.remove(&key);
            let standing = &self.standing;
            self.line.left(key, |key, _| standing.contains_key(&key));
            self.check();
        }

        fn check(&self) {
            let first = self
                .standing
                .first_key_value()
                .map(|(key, slot)| (*key, *slot));
            assert_eq!(
                (self.line.first(), self.line.len()),
                (first, self.standing.len())
            );
            let all: Vec<Slot> = self
                .line
                .iter(|key, _| self.standing.contains_key(&key))
                .collect();
            assert_eq!(all, self.standing.values().copied().collect::<Vec<_>>());
        }
    }

    #[test]
    fn who_comes_in_order_and_who_does_not_stand_in_one_line() {
        let mut line = Checked::default();
        [5, 9, 7, 1, 12, 3].iter().for_each(|key| line.stand(*key));
        [7, 1, 12, 5, 3, 9].iter().for_each(|key| line.leave(*key));
    }

    #[test]
    fn who_comes_in_order_costs_no_tree() {
        let mut line: Line<u64> = Line::default();
        (0..100).for_each(|key| line.stand(key, 0));
        assert_eq!((line.in_order.len(), line.others.len()), (100, 0));
        line.stand(50, 1);
        assert_eq!((line.in_order.len(), line.others.len()), (100, 1));
    }

    #[test]
    fn who_comes_back_to_an_old_place_stands_there_once() {
        let mut line = Checked::default();
        [1, 2, 3].iter().for_each(|key| line.stand(*key));
        line.leave(2);
        line.stand(2);
        line.leave(1);
        line.leave(2);
        line.leave(3);
    }

    /// However many come and leave from the middle, the empty places never outnumber who stands there by far.
    #[test]
    fn empty_places_are_cleared_away() {
        let mut line = Checked::default();
        line.stand(0);
        for key in 1..5_000 {
            line.stand(key);
            line.leave(key);
            assert!(
                line.line.in_order.len() <= EMPTY_MIN + 2,
                "{}",
                line.line.in_order.len()
            );
        }
        line.leave(0);
        assert!(line.line.in_order.is_empty());
    }

    #[test]
    fn a_line_that_empties_gives_its_memory_back() {
        let mut line: Line<u64> = Line::default();
        (0..100_000).for_each(|key| line.stand(key, 0));
        (0..100_000).for_each(|key| line.left(key, |other, _| other > key));
        assert!(
            line.in_order.capacity() <= super::super::room::ROOM_MIN,
            "{}",
            line.in_order.capacity()
        );
    }

    #[test]
    fn when_to_clear() {
        let sparse = [
            (64, 0),
            (65, 0),
            (128, 64),
            (129, 64),
            (2_000, 1_000),
            (2_001, 1_000),
        ];
        let cleared = sparse.map(|(places, standing)| is_sparse(places, standing));
        assert_eq!(cleared, [false, true, false, true, false, true]);
    }
}
