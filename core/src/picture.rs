//! Look: everything there is to see of one queue, as flat copied data. (Step 4 of the law.)
//!
//! It knows the state at its own now. It deliberately changes nothing and computes nothing that a call
//! could not tell as well.

use crate::state::{Held, State};
use crate::task::{Attempt, Depth, Phase, QueueName, TaskId, Token};
use crate::time::Timestamp;
use crate::wake::Wake;
use alloc::string::String;
use alloc::vec::Vec;
use serde::Serialize;

/// One queue at one instant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Picture {
    /// The queue's now.
    pub at: Timestamp,
    /// How many tasks of each phase.
    pub depth: Depth,
    /// Its tasks, in enqueue order.
    pub tasks: Vec<TaskPicture>,
    /// When time alone will change it next.
    pub wake: Option<Wake>,
    /// The largest token handed out so far, over all queues.
    pub token_last: Token,
}

/// One held task at one instant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct TaskPicture {
    /// Its id.
    pub id: TaskId,
    /// What it is.
    pub phase: Phase,
    /// Since when it is that.
    pub since: Timestamp,
    /// The last delivery's number, 0 before the first.
    pub attempt: Attempt,
    /// Deliveries before the dead letters.
    pub max_attempts: u32,
    /// While leased: the lease's token, deadline and worker.
    pub lease: Option<LeasePicture>,
    /// While delayed: when it is visible again.
    pub visible_at: Option<Timestamp>,
    /// The last heartbeat's details, as text.
    pub details: String,
    /// Why the last delivery ended, empty if none did.
    pub last_error: String,
}

/// A running lease.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct LeasePicture {
    /// Its fencing token.
    pub token: Token,
    /// When it was handed out.
    pub since: Timestamp,
    /// When it is over.
    pub deadline: Timestamp,
    /// Who has it, if whoever looks knows; the state does not.
    pub worker: String,
}

impl Picture {
    /// The task with this id, if the queue holds it.
    pub fn task(&self, id: &TaskId) -> Option<&TaskPicture> {
        self.tasks.iter().find(|task| task.id == *id)
    }
}

/// Looks at one queue, at the state's own now.
pub fn look(state: &State, queue: &QueueName) -> Picture {
    let shelf = state.shelf(queue);
    Picture {
        at: state.now(),
        depth: shelf.map(|shelf| shelf.depth()).unwrap_or_default(),
        tasks: shelf
            .into_iter()
            .flat_map(|shelf| shelf.in_enqueue_order())
            .map(task)
            .collect(),
        wake: shelf.and_then(|shelf| shelf.wake()),
        token_last: state.token_last(),
    }
}

fn task(held: &Held) -> TaskPicture {
    let newest = held.newest().filter(|_| held.phase() == Phase::Leased);
    TaskPicture {
        id: held.id().clone(),
        phase: held.phase(),
        since: held.since(),
        attempt: held.attempt(),
        max_attempts: held.max_attempts(),
        lease: newest.map(|newest| LeasePicture {
            token: newest.token,
            since: newest.since,
            deadline: newest.deadline,
            worker: String::new(),
        }),
        visible_at: (held.phase() == Phase::Delayed).then_some(held.at()),
        details: String::from_utf8_lossy(held.details()).into_owned(),
        last_error: String::from(held.last_error()),
    }
}
