//! The durable queue on a real disk and a real socket.
//!
//! **Not built yet: this crate holds nothing but this page.** It will hold what touches the operating
//! system: the log in files, the queue handle with its real clock and blocking long poll, the TCP server,
//! and the command line.
//!
//! It will deliberately know no rule of the queue: the rules are `fencepost-core`'s.
