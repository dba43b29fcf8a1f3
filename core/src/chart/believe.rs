//! Drawing what the workers believe, and the calls themselves.
//!
//! It knows what each worker was told, and when the queue's own span of that lease ended. It deliberately
//! knows no rule: a belief is lost when the upper half of the chart says so.

use super::draw::Pencil;
use super::{Belief, End, Glyph, How, Mark, Span};
use crate::call::{Answer, Call, Outcome};
use crate::scenario::{Event, Planned};
use crate::time::Timestamp;
use alloc::format;

impl Pencil {
    pub(super) fn begin_belief(&mut self, worker: Option<usize>, answer: &Answer, at: Timestamp) {
        let (Some(worker), Outcome::Leased { task, token, .. }) = (worker, &answer.outcome) else {
            return;
        };
        let task = self.lane(task);
        if self
            .believed
            .iter()
            .any(|index| self.chart.beliefs[*index].task == task)
        {
            self.see(Event::TwoBelieve);
        }
        self.believed.push(self.chart.beliefs.len());
        self.chart.beliefs.push(Belief {
            worker,
            task,
            token: *token,
            step: self.step,
            from: at,
            lost: None,
            end: None,
        });
    }

    pub(super) fn end_belief(&mut self, planned: &Planned, answer: &Answer, at: Timestamp) {
        let Some((task, token)) = planned.call.lease() else {
            return;
        };
        let how = match (&planned.call, &answer.outcome) {
            (_, Outcome::LeaseLost) => How::Refused,
            (Call::Complete { .. }, Outcome::Completed { .. }) => How::Completed,
            (
                Call::Fail { .. },
                Outcome::Retrying { .. } | Outcome::DeadLettered | Outcome::Dropped,
            ) => How::Failed,
            _ => return,
        };
        let (task, step) = (self.lane(task), self.step);
        let beliefs = &mut self.chart.beliefs;
        self.believed.retain(|index| {
            let belief = &mut beliefs[*index];
            let ends = belief.task == task && belief.token == token;
            if ends {
                belief.end = Some(End { step, at, how });
            }
            !ends
        });
    }

    /// A belief is lost once the queue's own span of that lease has ended.
    pub(super) fn find_lost_beliefs(&mut self, now: Timestamp) {
        for index in &self.believed {
            let belief = &mut self.chart.beliefs[*index];
            let same = |span: &&Span| span.task == belief.task && span.token == Some(belief.token);
            let ended = self
                .chart
                .spans
                .iter()
                .rev()
                .find(same)
                .and_then(|span| span.end);
            if belief.lost.is_none()
                && let Some(end) = ended
            {
                belief.lost = Some(End {
                    step: self.step,
                    at: end.at.min(now),
                    how: end.how,
                });
            }
        }
    }

    pub(super) fn mark(
        &mut self,
        planned: &Planned,
        answer: &Answer,
        worker: Option<usize>,
        at: Timestamp,
    ) {
        let task = match &answer.outcome {
            Outcome::Leased { task, .. } => Some(task),
            _ => planned.call.task(),
        };
        let task = task.cloned().map(|task| self.lane(&task));
        let glyph = glyph(&planned.call, &answer.outcome);
        let text = format!("{}: {}", planned.call, answer.outcome);
        let (step, by) = (self.step, planned.by.clone());
        self.chart.marks.push(Mark {
            step,
            at,
            glyph,
            task,
            worker,
            by,
            text,
        });
    }

    pub(super) fn note_call(&mut self, planned: &Planned, answer: &Answer) {
        match (&planned.call, &answer.outcome) {
            (_, Outcome::LeaseLost) => self.see(Event::Fenced),
            (_, Outcome::Completed { .. }) => self.see(Event::Completed),
            (_, Outcome::Redriven(count)) if *count > 0 => self.see(Event::Redriven),
            (_, Outcome::Reopened) => self.see(Event::Reopened),
            _ => {}
        }
    }
}

fn glyph(call: &Call, outcome: &Outcome) -> Glyph {
    match (call, outcome) {
        (_, Outcome::NoTask) => Glyph::Empty,
        (_, outcome) if outcome.is_refusal() => Glyph::Refused,
        (Call::Enqueue { .. }, _) => Glyph::Enqueue,
        (Call::Poll | Call::LongPoll { .. } | Call::PollReturns, _) => Glyph::Poll,
        (Call::Heartbeat { .. }, _) => Glyph::Heartbeat,
        (Call::Complete { .. }, _) => Glyph::Complete,
        (Call::Fail { .. }, _) => Glyph::Fail,
        (Call::Redrive { .. }, _) => Glyph::Redrive,
        (Call::Reopen | Call::BreakLog | Call::MendLog, _) => Glyph::Reopen,
        (Call::Check { .. } | Call::DeadLetters | Call::Depth, _) => Glyph::Look,
    }
}
