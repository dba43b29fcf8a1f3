//! One queue's tasks, found by id, by place in line, by due time, by deadline, and by enqueue order.
//!
//! It knows where a task stands and keeps every index in step. Each call costs a logarithm at most,
//! however many tasks are held. It deliberately knows no record: which way a task goes is told by `state`.

use super::held::Held;
use super::line::Line;
use super::room::room_to_keep;
use super::slab::{Slab, Slot};
use crate::rules::{Place, Rules};
use crate::task::{Depth, Phase, Task, TaskId};
use crate::time::Timestamp;
use crate::wake::{self, Wake, Why};
use alloc::vec::Vec;
use core::hash::BuildHasher;
use foldhash::fast::FixedState;
use hashbrown::HashTable;

/// The tasks of one queue.
#[derive(Clone, Debug, Default)]
pub struct Shelf {
    tasks: Slab<Held>,
    /// By id. Its order depends on the hashes, so it is never iterated.
    by_id: HashTable<Slot>,
    visible: Line<Place>,
    delayed: Line<Place>,
    leased: Line<Place>,
    dead: Line<Place>,
    /// The task that was changed last; it may have left.
    touched: Slot,
}

impl Shelf {
    /// The task with this id.
    pub fn get(&self, task: &TaskId) -> Option<&Held> {
        self.tasks.get(self.find(task)?)
    }

    /// All tasks, in enqueue order.
    pub fn in_enqueue_order(&self) -> Vec<&Held> {
        let mut tasks: Vec<&Held> = self.tasks.iter().collect();
        tasks.sort_unstable_by_key(|held| held.sequence());
        tasks
    }

    /// The dead ones, in enqueue order.
    pub fn dead<'a, R: Rules>(&'a self, rules: &'a R) -> impl Iterator<Item = &'a Held> {
        let dead = self
            .dead
            .iter(move |other, slot| self.place(rules, slot) == Some((Phase::Dead, other)));
        dead.filter_map(|slot| self.tasks.get(slot))
    }

    /// The visible task that is first in line.
    pub fn first_in_line(&self) -> Option<&Held> {
        let (_, slot) = self.visible.first()?;
        self.tasks.get(slot)
    }

    /// How many there are of each phase.
    pub fn depth(&self) -> Depth {
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Depth {
            visible: count(self.visible.len()),
            delayed: count(self.delayed.len()),
            leased: count(self.leased.len()),
            dead: count(self.dead.len()),
        }
    }

    /// When time alone will change this queue next.
    pub fn wake(&self) -> Option<Wake> {
        self.wake_if(|_| true)
    }

    /// The same, for these reasons only.
    pub fn wake_if(&self, counts: impl Fn(Why) -> bool) -> Option<Wake> {
        let wake = |line: &Line<Place>, why| {
            let (_, slot) = line.first().filter(|_| counts(why))?;
            let held = self.tasks.get(slot)?;
            Some(Wake {
                at: held.at(),
                why,
                task: held.id().clone(),
            })
        };
        wake::soonest(
            wake(&self.delayed, Why::RetryDue),
            wake(&self.leased, Why::LeaseOver),
        )
    }

    /// Due retries become visible; expired leases end, at their deadline, however late it is noticed.
    pub(super) fn settle<R: Rules>(&mut self, rules: &R, now: Timestamp) {
        while let Some((due, slot)) = self.first_of(&self.delayed)
            && due <= now
        {
            self.change_at(rules, slot, |held| held.visible(due));
        }
        while let Some((deadline, slot)) = self.first_of(&self.leased)
            && rules.is_expired(now, deadline)
        {
            self.change_at(rules, slot, |held| {
                held.expired(rules.after_expiry(held.attempt(), held.max_attempts()));
            });
        }
    }

    fn first_of(&self, line: &Line<Place>) -> Option<(Timestamp, Slot)> {
        let ((at, _), slot) = line.first()?;
        Some((Timestamp::from_millis(at), slot))
    }

    /// Puts a new task on the shelf, visible since `at`, in place of one of the same id.
    pub(super) fn add<R: Rules>(&mut self, rules: &R, task: Task, sequence: u64, at: Timestamp) {
        self.remove(rules, &task.id);
        let hash = hash(&task.id);
        let slot = self.tasks.insert(Held::new(task, sequence, at));
        let tasks = &self.tasks;
        self.by_id.insert_unique(hash, slot, |slot| {
            tasks.get(*slot).map_or(0, |held| self::hash(held.id()))
        });
        if let Some((phase, place)) = self.place(rules, slot) {
            self.line(phase).stand(place, slot);
        }
    }

    /// Takes a task off the shelf.
    pub(super) fn remove<R: Rules>(&mut self, rules: &R, task: &TaskId) {
        let tasks = &self.tasks;
        let same = |slot: &Slot| tasks.get(*slot).is_some_and(|held| held.id() == task);
        let Ok(entry) = self.by_id.find_entry(hash(task), same) else {
            return;
        };
        let (slot, _) = entry.remove();
        let stood = self.place(rules, slot);
        self.tasks.remove(slot);
        self.left(rules, stood);
        if let Some(room) = room_to_keep(self.by_id.len(), self.by_id.capacity()) {
            let tasks = &self.tasks;
            self.by_id.shrink_to(room, |slot| {
                tasks.get(*slot).map_or(0, |held| hash(held.id()))
            });
        }
    }

    /// Changes a task, and where it stands with it.
    pub(super) fn change<R: Rules>(
        &mut self,
        rules: &R,
        task: &TaskId,
        change: impl FnOnce(&mut Held),
    ) {
        if let Some(slot) = self.find(task) {
            self.change_at(rules, slot, change);
        }
    }

    fn change_at<R: Rules>(&mut self, rules: &R, slot: Slot, change: impl FnOnce(&mut Held)) {
        let stood = self.place(rules, slot);
        if let Some(held) = self.tasks.get_mut(slot) {
            change(held);
        }
        self.touched = slot;
        let stands = self.place(rules, slot);
        if stood != stands {
            self.left(rules, stood);
            if let Some((phase, place)) = stands {
                self.line(phase).stand(place, slot);
            }
        }
    }

    /// Where in the slab a task is. Most calls are about the task that is first in line or was touched last.
    fn find(&self, task: &TaskId) -> Option<Slot> {
        let same = |slot: &Slot| self.tasks.get(*slot).is_some_and(|held| held.id() == task);
        let first = self.visible.first().map(|(_, slot)| slot);
        let near = first.filter(same).or(Some(self.touched).filter(same));
        near.or_else(|| self.by_id.find(hash(task), same).copied())
    }

    /// Where a task stands: in which phase's line, and where in it.
    fn place<R: Rules>(&self, rules: &R, slot: Slot) -> Option<(Phase, Place)> {
        place(&self.tasks, rules, slot)
    }

    fn line(&mut self, phase: Phase) -> &mut Line<Place> {
        match phase {
            Phase::Visible => &mut self.visible,
            Phase::Delayed => &mut self.delayed,
            Phase::Leased => &mut self.leased,
            Phase::Dead => &mut self.dead,
        }
    }

    /// A task has left the place where it stood.
    fn left<R: Rules>(&mut self, rules: &R, stood: Option<(Phase, Place)>) {
        let Some((phase, key)) = stood else { return };
        let (tasks, line) = match phase {
            Phase::Visible => (&self.tasks, &mut self.visible),
            Phase::Delayed => (&self.tasks, &mut self.delayed),
            Phase::Leased => (&self.tasks, &mut self.leased),
            Phase::Dead => (&self.tasks, &mut self.dead),
        };
        line.left(key, |other, slot| {
            place(tasks, rules, slot) == Some((phase, other))
        });
    }

    /// The indices and the tasks say the same (faults, S1 and S2).
    pub(super) fn invariants<R: Rules>(&self, rules: &R, sequence_next: u64) {
        let lines = [&self.visible, &self.delayed, &self.leased, &self.dead];
        assert_eq!(
            lines.iter().map(|line| line.len()).sum::<usize>(),
            self.tasks.len()
        );
        assert_eq!(self.by_id.len(), self.tasks.len());
        for (phase, line) in [Phase::Visible, Phase::Delayed, Phase::Leased, Phase::Dead]
            .into_iter()
            .zip(lines)
        {
            let standing = line.iter(|other, slot| self.place(rules, slot) == Some((phase, other)));
            assert_eq!(standing.count(), line.len(), "{phase}");
            assert!(
                line.first()
                    .is_none_or(|(key, slot)| self.place(rules, slot) == Some((phase, key)))
            );
        }
        for held in self.tasks.iter() {
            assert!(
                self.get(held.id())
                    .is_some_and(|found| found.sequence() == held.sequence())
            );
            assert!(held.sequence() < sequence_next && held.max_attempts() >= 1);
            assert!(held.phase() != Phase::Leased || held.newest().is_some());
        }
    }
}

fn place<R: Rules>(tasks: &Slab<Held>, rules: &R, slot: Slot) -> Option<(Phase, Place)> {
    let held = tasks.get(slot)?;
    let (phase, at, sequence) = (held.phase(), held.at(), held.sequence());
    Some(match phase {
        Phase::Visible => (phase, rules.place_in_line(at, sequence)),
        Phase::Delayed | Phase::Leased => (phase, (at.as_millis(), sequence)),
        Phase::Dead => (phase, (0, sequence)),
    })
}

/// The same on every machine and in every run. An id's author can make hashes collide, and then a look-up
/// costs more than it should; nothing else depends on them.
fn hash(task: &TaskId) -> u64 {
    FixedState::with_seed(0).hash_one(task.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Chapter;
    use alloc::collections::BTreeSet;
    use alloc::format;

    /// However many were held, what is left of them afterwards is little.
    #[test]
    fn a_drained_shelf_gives_its_memory_back() {
        let (mut shelf, count) = (Shelf::default(), 20_000);
        let id = |n: u64| TaskId::new(format!("t{n}")).expect("a short id");
        (0..count).for_each(|n| shelf.add(&Chapter, Task::new(id(n)), n, Timestamp::ZERO));
        assert!(shelf.by_id.capacity() >= 20_000);
        (0..count - 10).for_each(|n| shelf.remove(&Chapter, &id(n)));
        assert_eq!(
            (shelf.depth().visible, shelf.get(&id(count - 1)).is_some()),
            (10, true)
        );
        assert!(
            shelf.by_id.capacity() <= 4 * super::super::room::ROOM_MIN,
            "{}",
            shelf.by_id.capacity()
        );
    }

    /// Fixed, so that a run is the same everywhere, and spread, so that a look-up stays short.
    #[test]
    fn hashes_are_fixed_and_spread() {
        let id = |n: u64| TaskId::new(format!("t{n}")).expect("a short id");
        let hashes: BTreeSet<u64> = (0..1_000).map(|n| hash(&id(n)) % (1 << 40)).collect();
        assert_eq!(hashes.len(), 1_000);
        assert_eq!(hash(&id(7)), hash(&id(7)));
    }

    #[test]
    fn a_task_of_the_same_id_takes_the_old_ones_place() {
        let mut shelf = Shelf::default();
        let task = || Task::new(TaskId::new("a").expect("a short id"));
        shelf.add(&Chapter, task(), 0, Timestamp::ZERO);
        shelf.add(&Chapter, task(), 1, Timestamp::ZERO);
        assert_eq!(
            (shelf.tasks.len(), shelf.by_id.len(), shelf.depth().visible),
            (1, 1, 1)
        );
        assert_eq!(shelf.first_in_line().map(Held::sequence), Some(1));
    }
}
