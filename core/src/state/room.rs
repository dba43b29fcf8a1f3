//! Memory that was needed once: when to give it back.
//!
//! It knows two numbers. It deliberately knows nothing of what the room is for.

/// Room for so many is never given back.
pub(super) const ROOM_MIN: usize = 256;

/// The room to keep where less than a quarter of it is used; `None` where it is well used, or small. What
/// it costs to give room back is paid for by those who left.
pub(super) fn room_to_keep(used: usize, room: usize) -> Option<usize> {
    (room > ROOM_MIN && used < room / 4).then_some(2 * used)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_is_given_back_where_little_is_used() {
        let rooms = [
            (0, 256),
            (0, 257),
            (63, 257),
            (64, 257),
            (249, 1_000),
            (250, 1_000),
        ];
        let kept = rooms.map(|(used, room)| room_to_keep(used, room));
        assert_eq!(kept, [None, Some(0), Some(126), None, Some(498), None]);
    }
}
