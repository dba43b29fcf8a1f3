//! Suspicion: does a step of the small world look as the chapter says, seen from one step alone?
//!
//! It knows sections 2.1 to 2.5 in plain numbers and asks no rule. It deliberately is not the judge: what
//! looks wrong is played on the real queue, and the oracle says whether a call has shown it.

use super::Scope;
use super::small::{Action, Came, Cell, Hand, Is, Small};

/// True if the step from one world to the next is what the chapter has.
pub(super) fn looks_right(
    scope: Scope,
    before: &Small,
    action: Action,
    came: Came,
    after: &Small,
) -> bool {
    match (action, came) {
        (Action::Tick, _) => before
            .cells
            .iter()
            .zip(&after.cells)
            .all(|(was, is)| *is == settled(scope, *was, after.now)),
        (Action::Crash, _) => after.cells == before.cells && after.token_last >= before.issued,
        (Action::BreakLog | Action::MendLog, _) => after.cells == before.cells,
        (_, Came::Refused) => {
            before.log_refuses && same(before, after) && would_write(before, action)
        }
        (Action::Enqueue(cell), _) => enqueued_right(before, cell, came, after),
        (Action::Poll(worker), _) => polled_right(scope, before, worker, came, after),
        (Action::Guess(_), _) => came == Came::Lost && same(before, after),
        (Action::Redrive, _) => before
            .cells
            .iter()
            .zip(&after.cells)
            .all(|(was, is)| *is == redriven(*was, before.now)),
        (Action::Complete(worker), _) => {
            acted_right(before, worker, came, after, |cell| cell == gone(cell))
        }
        (Action::FailForGood(worker), _) => {
            acted_right(before, worker, came, after, |cell| cell == gone(cell))
        }
        (Action::Fail(worker), _) => {
            let failed = |was: Cell| failed(scope, was, before.now);
            let was = cell_in_hand(before, worker);
            acted_right(before, worker, came, after, |cell| cell == failed(was))
        }
        (Action::Heartbeat(worker), _) => {
            let was = cell_in_hand(before, worker);
            let extended = Cell {
                at: before.now + scope.visibility,
                details: true,
                ..was
            };
            acted_right(before, worker, came, after, |cell| cell == extended)
        }
    }
}

fn same(before: &Small, after: &Small) -> bool {
    (before.cells, before.token_last) == (after.cells, after.token_last)
}

fn cell_in_hand(small: &Small, worker: u8) -> Cell {
    let Hand { cell, .. } = small.hands[usize::from(worker)];
    small.cells[usize::from(cell)]
}

fn gone(cell: Cell) -> Cell {
    Cell {
        lives: cell.lives,
        ..Cell::default()
    }
}

fn settled(scope: Scope, was: Cell, now: u8) -> Cell {
    let is = match was.is {
        Is::Delayed if was.at <= now => Is::Visible,
        Is::Leased if was.at <= now && was.attempt < scope.max_attempts => Is::Visible,
        Is::Leased if was.at <= now => Is::Dead,
        is => is,
    };
    Cell { is, ..was }
}

fn redriven(was: Cell, now: u8) -> Cell {
    match was.is {
        Is::Dead => Cell {
            is: Is::Visible,
            at: now,
            attempt: 0,
            token: 0,
            details: false,
            ..was
        },
        _ => was,
    }
}

fn failed(scope: Scope, was: Cell, now: u8) -> Cell {
    if was.attempt >= scope.max_attempts {
        Cell {
            is: Is::Dead,
            at: now,
            token: 0,
            ..was
        }
    } else if scope.retry > 0 {
        Cell {
            is: Is::Delayed,
            at: now + scope.retry,
            token: 0,
            ..was
        }
    } else {
        Cell {
            is: Is::Visible,
            at: now,
            token: 0,
            ..was
        }
    }
}

/// The newest live lease: section 2.2 in one line.
fn may_act(small: &Small, worker: u8) -> bool {
    let (hand, cell) = (
        small.hands[usize::from(worker)],
        cell_in_hand(small, worker),
    );
    cell.is == Is::Leased && cell.token == hand.token && small.now < cell.at
}

fn would_write(small: &Small, action: Action) -> bool {
    match action {
        Action::Enqueue(cell) => small.cells[usize::from(cell)].is == Is::Absent,
        Action::Poll(_) => small.cells.iter().any(|cell| cell.is == Is::Visible),
        Action::Redrive => small.cells.iter().any(|cell| cell.is == Is::Dead),
        Action::Complete(worker)
        | Action::Fail(worker)
        | Action::FailForGood(worker)
        | Action::Heartbeat(worker) => may_act(small, worker),
        _ => false,
    }
}

fn enqueued_right(before: &Small, cell: u8, came: Came, after: &Small) -> bool {
    let (was, is) = (
        before.cells[usize::from(cell)],
        after.cells[usize::from(cell)],
    );
    if was.is != Is::Absent {
        return came == Came::Nothing && same(before, after);
    }
    came == Came::Done(cell)
        && (is.is, is.at, is.attempt, is.token) == (Is::Visible, before.now, 0, 0)
}

fn polled_right(scope: Scope, before: &Small, worker: u8, came: Came, after: &Small) -> bool {
    let visible = before.cells.iter().filter(|cell| cell.is == Is::Visible);
    let first = visible.min_by_key(|cell| (cell.at, cell.rank));
    let (Some(first), Came::Done(got)) = (first, came) else {
        return first.is_none() && came == Came::Nothing && same(before, after);
    };
    let (was, is) = (
        before.cells[usize::from(got)],
        after.cells[usize::from(got)],
    );
    let token = after.hands[usize::from(worker)].token;
    let leased = Cell {
        is: Is::Leased,
        at: before.now + scope.visibility,
        attempt: was.attempt + 1,
        token,
        ..was
    };
    was == *first && is == leased && token > before.issued && is.attempt <= scope.max_attempts
}

/// An act succeeds exactly for the newest live lease, and then leaves its task like this.
fn acted_right(
    before: &Small,
    worker: u8,
    came: Came,
    after: &Small,
    right: impl Fn(Cell) -> bool,
) -> bool {
    let Hand { cell, .. } = before.hands[usize::from(worker)];
    match came {
        Came::Lost => !may_act(before, worker) && same(before, after),
        Came::Done(_) => may_act(before, worker) && right(after.cells[usize::from(cell)]),
        Came::Nothing | Came::Refused => false,
    }
}
