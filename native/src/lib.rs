//! The durable queue on a real disk and a real socket: what touches the operating system.
//!
//! Today it holds the real clock and a queue that threads share, with its blocking long poll; the command
//! line beside it runs the simulation. **Not built yet:** the log in files, of which only the frame around a
//! batch stands, and the TCP server.
//!
//! It deliberately knows no rule of the queue: the rules are `fencepost-core`'s.

#![forbid(unsafe_code)]

pub mod clock;
pub mod file_log;
pub mod shared;
mod sync;
