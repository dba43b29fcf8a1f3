//! Fencepost's core: a durable task queue as a deterministic machine, with its log records and its replay.
//!
//! One law: **decide, append, apply, look** (see [`queue`]). It knows the rules of the queue chapter. It
//! deliberately has no clock, no thread, no file, no socket and no map with an order of its own: time is a
//! number in each call, and the same calls give the same answers to the bit on every machine.
//!
//! The modules stand in reading order; each uses only those above it.

#![cfg_attr(not(feature = "typescript"), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;

pub mod time;

pub mod bytes;

pub mod task;

pub mod wake;

pub mod refusal;

pub mod record;

pub mod log;

pub mod rules;

pub mod bugs;

pub mod state;

pub mod decide;

pub mod possible;

pub mod picture;

pub mod queue;

pub mod long_poll;

pub mod virtual_time;

pub mod call;

pub mod bench;

pub mod scenario;

pub mod sentence;

pub mod oracle;

pub mod watched;

pub mod chart;

pub mod run;

pub mod sim;

pub mod lockstep;

pub mod explore;

pub mod export;

#[cfg(feature = "typescript")]
pub mod typescript;
