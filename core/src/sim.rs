//! The simulation: one number draws workers, faults and a schedule, and the oracle watches every call.
//!
//! It knows the order of a run: plan, faults, heal, converge. It deliberately knows no rule and has no
//! chance but its dice: the same seed makes the same run, to the bit, on every machine.

mod around;
pub mod batch;
pub mod dice;
mod draft;
pub mod hits;
pub mod onward;
mod plainer;
pub mod plan;
pub mod shrink;
mod weight;
mod worker;
mod world;

use crate::call::Call;
use crate::oracle::Property;
use crate::refusal::Refusal;
use crate::rules::Rules;
use crate::scenario::{FORMAT, Row, Scenario, VERSION};
use crate::task::{Options, Phase, QueueName};
use crate::time::Timestamp;
use crate::watched::{Digest, Watched};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use hits::Hits;
use plan::Plan;
use world::World;

/// A property that was broken first, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Red {
    /// Which.
    pub property: Property,
    /// The row of the scenario at which it was seen, 1 for the first.
    pub row: usize,
    /// What happened, with the ids.
    pub what: String,
}

impl fmt::Display for Red {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} (row {}): {}",
            self.property.name(),
            self.row,
            self.what
        )
    }
}

/// What a seed came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Story {
    /// What was drawn before anything happened.
    pub plan: Plan,
    /// Every call that was made, up to the first that broke a property.
    pub rows: Vec<Row>,
    /// What was broken, if anything was.
    pub red: Option<Red>,
    /// Over every call, outcome and record.
    pub digest: Digest,
}

impl Story {
    /// The story as a schedule that anybody can replay.
    pub fn scenario(&self) -> Scenario {
        scenario_of(
            format!("Chaos, seed {}", self.plan.seed),
            queues(self.plan.queues).swap_remove(0),
            self.plan.options(),
            self.rows.clone(),
        )
    }
}

/// Runs a seed by these rules.
pub fn run<R: Rules + Clone>(seed: u64, rules: R, hits: &mut Hits) -> Story {
    let plan = Plan::draw(seed);
    let queues = queues(plan.queues);
    let watched = Watched::new(&queues[0], &queues[1..], rules, plan.options());
    hits.begin();
    let mut world = World::new(plan, queues, watched, hits);
    world.begin();
    world.run(world.plan.calls as usize);
    heal(&mut world);
    let story = tell(world);
    hits.begin();
    story
}

/// The queues of a run: `data`, and `mail` beside it.
fn queues(count: u8) -> Vec<QueueName> {
    let names = ["data", "mail"].into_iter().take(usize::from(count.max(1)));
    names.filter_map(|name| QueueName::new(name).ok()).collect()
}

/// A scenario of these rows, with nothing expected.
pub(crate) fn scenario_of(
    title: String,
    queue: QueueName,
    options: Options,
    rows: Vec<Row>,
) -> Scenario {
    Scenario {
        format: String::from(FORMAT),
        version: VERSION,
        title,
        source: String::new(),
        queue,
        visibility: options.visibility,
        max_attempts: options.max_attempts,
        setup: Vec::new(),
        rows,
        goals: Vec::new(),
        seal: None,
    }
}

/// All faults stop: the log works, and one honest worker does what is left until nothing is.
fn heal<R: Rules + Clone>(world: &mut World<'_, R>) {
    if !world.is_broken() {
        world.mend();
    }
    let queues = world.queues.clone();
    for queue in &queues {
        while world.may_go_on() && heal_one(world, queue) {}
    }
    if !world.is_broken() {
        world.watched.oracle.turn_to(world.rows.len());
        world.watched.oracle.has_converged();
    }
}

/// The honest worker asks once. False once nothing of the queue is left.
fn heal_one<R: Rules + Clone>(world: &mut World<'_, R>, queue: &QueueName) -> bool {
    let came = world.call(world.now, "healer", queue, Call::Poll);
    if world.is_broken() {
        return false;
    }
    if let Some(lease) = came.answer.lease {
        let (task, token) = (lease.task.id, lease.token);
        world.call(world.now, "healer", queue, Call::Complete { task, token });
        return true;
    }
    let wake = match came.answer.refusal {
        Some(Refusal::NoTask { ask_again }) => ask_again,
        _ => None,
    };
    if let Some(wake) = wake {
        world.now = world.now.max(wake.at);
        return true;
    }
    let is_any_dead = !world.watched.oracle.ids(queue, Phase::Dead).is_empty();
    if is_any_dead {
        world.call(
            world.now,
            "healer",
            queue,
            Call::Redrive { tasks: Vec::new() },
        );
    }
    is_any_dead
}

fn tell<R: Rules + Clone>(world: World<'_, R>) -> Story {
    Story {
        red: red_of(&world.watched),
        digest: world.watched.digest,
        plan: world.plan,
        rows: world.rows,
    }
}

fn red_of<R: Rules + Clone>(watched: &Watched<R>) -> Option<Red> {
    let (property, broken) = watched.oracle.first_broken()?;
    Some(Red {
        property,
        row: broken.step,
        what: broken.what.clone(),
    })
}

/// Plays a scenario until a property is broken. The set-up counts as row 0.
pub fn judge<R: Rules + Clone>(scenario: &Scenario, rules: R) -> Option<Red> {
    let mut watched = watch(scenario, rules);
    for (row, at, planned) in steps(scenario) {
        watched.oracle.turn_to(row);
        let queue = planned.queue.as_ref().unwrap_or(&scenario.queue);
        watched.call(at, &planned.by, queue, &planned.call);
        if let Some(red) = red_of(&watched) {
            return Some(red);
        }
    }
    None
}

/// A bench for a scenario, nothing called yet.
pub(crate) fn watch<R: Rules + Clone>(scenario: &Scenario, rules: R) -> Watched<R> {
    let others = scenario.other_queues();
    Watched::new(&scenario.queue, &others, rules, scenario.options())
}

/// Every call with its row, 0 for the set-up, and its instant.
pub(crate) fn steps(
    scenario: &Scenario,
) -> impl Iterator<Item = (usize, Timestamp, &crate::scenario::Planned)> {
    let setup = scenario
        .setup
        .iter()
        .map(|planned| (0, Timestamp::ZERO, planned));
    let rows = scenario.rows.iter().enumerate().flat_map(|(index, row)| {
        let calls = row.calls.iter();
        calls.map(move |planned| (index + 1, row.at, planned))
    });
    setup.chain(rows)
}
