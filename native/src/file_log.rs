//! The log in files: how records lie on a disk, so that what was lost is told from what was never there.
//!
//! **Not built yet:** the segments, the durable mark, opening and repairing. What stands is the frame around
//! a batch of records, see `docs/file-log.md`. It deliberately knows no rule of the queue.

pub mod frame;
