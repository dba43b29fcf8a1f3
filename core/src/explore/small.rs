//! A small world: a few tasks and workers in plain numbers.
//!
//! It knows what is true of them. It deliberately has no ids, no log and no payload, and knows no rule.

use crate::task::Phase;

/// Room for so many tasks and workers.
pub(super) const ROOM: usize = 3;

/// Larger ones have no room; a scope has no path to them by the chapter's rules.
pub(super) const TOKEN_MAX: u64 = 31;
pub(super) const ATTEMPT_MAX: u32 = 7;
/// The last step there is room for.
pub(super) const STEP_MAX: u8 = 31;

/// One task. Times are steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) is: Is,
    /// Visible since, delayed until, leased until, dead since.
    pub(super) at: u8,
    pub(super) attempt: u8,
    /// The newest lease's token, kept after it expired; 0 before the first and once it was given up.
    pub(super) token: u8,
    pub(super) details: bool,
    /// Its place in the order of enqueues, among those held.
    pub(super) rank: u8,
    /// How often its id was enqueued.
    pub(super) lives: u8,
}

/// What a task is; the discriminants are what is packed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Is {
    #[default]
    Absent = 0,
    Visible = 1,
    Delayed = 2,
    Leased = 3,
    Dead = 4,
}

/// What a worker believes it has: a cell and a token. Token 0 is nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Hand {
    pub(super) token: u8,
    pub(super) cell: u8,
}

/// The whole small world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Small {
    pub(super) now: u8,
    /// The queue's counter.
    pub(super) token_last: u8,
    /// The largest token that was ever handed out.
    pub(super) issued: u8,
    /// How many crashes, log failures and redrives have been.
    pub(super) crashes: u8,
    pub(super) failures: u8,
    pub(super) redrives: u8,
    pub(super) log_refuses: bool,
    /// Something looked wrong on the way here, and no call has shown it yet.
    pub(super) suspicious: bool,
    pub(super) cells: [Cell; ROOM],
    pub(super) hands: [Hand; ROOM],
}

/// What can happen next. The numbers are those of cells and workers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    Tick,
    Enqueue(u8),
    Poll(u8),
    Complete(u8),
    Fail(u8),
    FailForGood(u8),
    Heartbeat(u8),
    /// A stranger completes the task in this cell, with the token after its newest.
    Guess(u8),
    Redrive,
    Crash,
    BreakLog,
    MendLog,
}

/// What an action came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Came {
    /// It happened; to this cell, if it is about one.
    Done(u8),
    /// A poll found nothing, an enqueue found its id held.
    Nothing,
    /// The lease may not act.
    Lost,
    /// The log refused.
    Refused,
}

pub(super) fn held(small: &Small) -> u8 {
    small
        .cells
        .iter()
        .filter(|cell| cell.is != Is::Absent)
        .count() as u8
}

/// A task leaves, and those enqueued after it move up.
pub(super) fn leave(small: &mut Small, index: u8) {
    let gone = small.cells[usize::from(index)];
    if gone.is == Is::Absent {
        return;
    }
    small.cells[usize::from(index)] = Cell {
        lives: gone.lives,
        ..Cell::default()
    };
    for cell in &mut small.cells {
        cell.rank -= u8::from(cell.is != Is::Absent && cell.rank > gone.rank);
    }
}

pub(super) fn phase_of(is: Is) -> Option<Phase> {
    match is {
        Is::Absent => None,
        Is::Visible => Some(Phase::Visible),
        Is::Delayed => Some(Phase::Delayed),
        Is::Leased => Some(Phase::Leased),
        Is::Dead => Some(Phase::Dead),
    }
}

pub(super) fn of_phase(phase: Phase) -> Is {
    match phase {
        Phase::Visible => Is::Visible,
        Phase::Delayed => Is::Delayed,
        Phase::Leased => Is::Leased,
        Phase::Dead => Is::Dead,
    }
}
