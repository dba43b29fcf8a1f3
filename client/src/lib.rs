//! The client of a task queue that speaks one line at a time over TCP (the client chapter).
//!
//! **Not built yet: this crate holds nothing but this page.** It will hold `Client::new(dial)`, `enqueue`,
//! `consume` and `metrics`, with the standard library only.
//!
//! It will deliberately not know `fencepost-core`: the server and the client write the line protocol
//! independently, so that each checks the other.
