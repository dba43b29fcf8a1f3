//! Packing: a small world as one number, and the same number for worlds that differ only in names.
//!
//! It knows bits. Tasks and workers may be renamed because no rule sees a name: a task is known by its
//! place in the order of enqueues, a worker by what it has in hand. It deliberately knows no action.

use super::small::{Cell, Hand, Is, ROOM, Small};

/// A packed world.
pub(super) type Packed = u128;

/// Which cell and which worker each of the renamed ones was before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Renamed {
    pub(super) cells: [u8; ROOM],
    pub(super) hands: [u8; ROOM],
}

const CELL_BITS: u32 = 22;
const HAND_BITS: u32 = 7;

fn cell_bits(cell: &Cell) -> u32 {
    // The rank comes first, so that cells sort by it; absent ones, which have none, sort last.
    let order = if cell.is == Is::Absent {
        3
    } else {
        u32::from(cell.rank)
    };
    let fields = [
        (order, 2),
        (u32::from(cell.lives), 2),
        (cell.is as u32, 3),
        (u32::from(cell.at), 5),
        (u32::from(cell.attempt), 3),
        (u32::from(cell.token), 5),
        (u32::from(cell.details), 1),
    ];
    fields
        .iter()
        .fold(0, |bits, (value, width)| (bits << width) | value)
}

fn cell_of(mut bits: u32) -> Cell {
    let mut take = |width: u32| {
        let value = bits & ((1 << width) - 1);
        bits >>= width;
        value as u8
    };
    let details = take(1) == 1;
    let token = take(5);
    let attempt = take(3);
    let at = take(5);
    let is = match take(3) {
        1 => Is::Visible,
        2 => Is::Delayed,
        3 => Is::Leased,
        4 => Is::Dead,
        _ => Is::Absent,
    };
    let lives = take(2);
    let rank = if is == Is::Absent { 0 } else { take(2) };
    Cell {
        is,
        at,
        attempt,
        token,
        details,
        rank,
        lives,
    }
}

/// Puts the first so many names in the order of their keys; a few comparisons, as there are three at most.
fn sort(names: &mut [u8; ROOM], count: usize, keys: &[u32; ROOM]) {
    let mut order = |one: usize, other: usize| {
        if other < count && keys[usize::from(names[other])] < keys[usize::from(names[one])] {
            names.swap(one, other);
        }
    };
    order(0, 1);
    order(1, 2);
    order(0, 1);
}

/// The world as a number, its tasks and workers renamed in order; and how they were renamed.
pub(super) fn pack(small: &Small, tasks: usize, workers: usize) -> (Packed, Renamed) {
    let mut renamed = Renamed {
        cells: [0, 1, 2],
        hands: [0, 1, 2],
    };
    let cells = small.cells.map(|cell| cell_bits(&cell));
    sort(&mut renamed.cells, tasks, &cells);
    let mut name_now = [0; ROOM];
    for (now, before) in renamed.cells.iter().enumerate() {
        name_now[usize::from(*before)] = now as u8;
    }
    let hands = small.hands.map(|hand| {
        let cell = if hand.token == 0 {
            0
        } else {
            name_now[usize::from(hand.cell)]
        };
        (u32::from(hand.token) << 2) | u32::from(cell)
    });
    sort(&mut renamed.hands, workers, &hands);
    let globals = [
        (u32::from(small.now), 5),
        (u32::from(small.token_last), 5),
        (u32::from(small.issued), 5),
        (u32::from(small.crashes), 2),
        (u32::from(small.failures), 2),
        (u32::from(small.redrives), 2),
        (u32::from(small.log_refuses), 1),
        (u32::from(small.suspicious), 1),
    ];
    let globals = globals.iter().fold(0u128, |bits, (value, width)| {
        (bits << width) | u128::from(*value)
    });
    let with_cells = renamed.cells.iter().fold(globals, |bits, index| {
        (bits << CELL_BITS) | u128::from(cells[usize::from(*index)])
    });
    let packed = renamed.hands.iter().fold(with_cells, |bits, index| {
        (bits << HAND_BITS) | u128::from(hands[usize::from(*index)])
    });
    (packed, renamed)
}

pub(super) fn unpack(mut bits: Packed) -> Small {
    let mut take = |width: u32| {
        let value = (bits & ((1 << width) - 1)) as u32;
        bits >>= width;
        value
    };
    let mut small = Small::default();
    for hand in small.hands.iter_mut().rev() {
        let bits = take(HAND_BITS);
        *hand = Hand {
            token: (bits >> 2) as u8,
            cell: (bits & 3) as u8,
        };
    }
    for cell in small.cells.iter_mut().rev() {
        *cell = cell_of(take(CELL_BITS));
    }
    small.suspicious = take(1) == 1;
    small.log_refuses = take(1) == 1;
    small.redrives = take(2) as u8;
    small.failures = take(2) as u8;
    small.crashes = take(2) as u8;
    small.issued = take(5) as u8;
    small.token_last = take(5) as u8;
    small.now = take(5) as u8;
    small
}
