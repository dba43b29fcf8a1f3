//! Drawing the chart, step by step, from what can be seen.
//!
//! It knows the last picture and the next. It deliberately asks the queue nothing: a picture before each
//! call shows what time alone did, and one after it what the call did.

use super::{Chart, End, How, Post, Span};
use crate::call::{Answer, Call, Outcome};
use crate::picture::{Picture, TaskPicture};
use crate::scenario::{Event, Planned};
use crate::task::{Phase, TaskId, Token};
use crate::time::Timestamp;
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Draws one run.
#[derive(Clone, Debug, Default)]
pub struct Pencil {
    pub(super) chart: Chart,
    /// Each lane's open span.
    open: BTreeMap<usize, usize>,
    /// The beliefs that have not ended.
    pub(super) believed: Vec<usize>,
    /// The first step at which each event was seen.
    seen: BTreeMap<Event, usize>,
    pub(super) step: usize,
}

impl Pencil {
    /// The calls that follow belong to this step.
    pub fn turn_to(&mut self, step: usize) {
        self.step = step;
    }

    /// Time passed until this picture, and nobody called.
    pub fn time_passed(&mut self, picture: &Picture) {
        self.watch(picture, None);
        self.find_lost_beliefs(picture.at);
    }

    /// Someone called, and then the queue looked like this.
    pub fn called(&mut self, planned: &Planned, answer: &Answer, picture: &Picture) {
        let worker = self.worker(planned, answer);
        self.watch(picture, Some(&planned.call));
        self.end_belief(planned, answer, picture.at);
        self.begin_belief(worker, answer, picture.at);
        self.find_lost_beliefs(picture.at);
        self.mark(planned, answer, worker, picture.at);
        self.note_call(planned, answer);
    }

    /// When the lease with this token expired, if it did.
    pub fn expired_at(&self, task: &TaskId, token: Token) -> Option<Timestamp> {
        let lane = self
            .chart
            .tasks
            .iter()
            .position(|lane| lane == task.as_str())?;
        let same = |span: &&Span| span.task == lane && span.token == Some(token);
        let end = self.chart.spans.iter().rev().find(same)?.end?;
        (end.how == How::Expired).then_some(end.at)
    }

    /// The drawing, its axis long enough for everything on it.
    pub fn finish(mut self) -> (Chart, BTreeMap<Event, usize>) {
        let ends = self
            .chart
            .spans
            .iter()
            .map(|span| span.until.unwrap_or(span.from));
        let posts = self.chart.posts.iter().map(|post| post.at);
        let marks = self.chart.marks.iter().map(|mark| mark.at);
        self.chart.horizon = ends.chain(posts).chain(marks).max().unwrap_or_default();
        (self.chart, self.seen)
    }

    pub(super) fn see(&mut self, event: Event) {
        self.seen.entry(event).or_insert(self.step);
    }

    pub(super) fn lane(&mut self, task: &TaskId) -> usize {
        lane(&mut self.chart.tasks, task.as_str())
    }

    /// The caller's lane: whoever polls is a worker, and so is whoever ever was one.
    fn worker(&mut self, planned: &Planned, answer: &Answer) -> Option<usize> {
        let polls = planned.call == Call::Poll || matches!(answer.outcome, Outcome::Leased { .. });
        let known = self
            .chart
            .workers
            .iter()
            .position(|name| *name == planned.by);
        if polls {
            Some(lane(&mut self.chart.workers, &planned.by))
        } else {
            known
        }
    }

    fn watch(&mut self, picture: &Picture, call: Option<&Call>) {
        for task in &picture.tasks {
            let lane = self.lane(&task.id);
            self.watch_task(lane, task, call);
        }
        let gone: Vec<usize> = self
            .open
            .keys()
            .copied()
            .filter(|lane| !holds(picture, &self.chart.tasks[*lane]))
            .collect();
        for lane in gone {
            let how = if matches!(call, Some(Call::Complete { .. })) {
                How::Completed
            } else {
                How::Failed
            };
            self.close(lane, picture.at, how);
        }
    }

    fn watch_task(&mut self, lane: usize, task: &TaskPicture, call: Option<&Call>) {
        let until = task
            .lease
            .as_ref()
            .map(|lease| lease.deadline)
            .or(task.visible_at);
        let token = task.lease.as_ref().map(|lease| lease.token);
        if let Some(open) = self
            .open
            .get(&lane)
            .map(|index| &mut self.chart.spans[*index])
        {
            if (open.phase, open.from, open.token) == (task.phase, task.since, token) {
                if open.until != until {
                    open.until = until;
                    self.move_post(lane, token, until);
                }
                return;
            }
            let how = how_it_ended(open.phase, task.phase, call);
            self.close(lane, task.since, how);
        }
        self.open_span(lane, task, until, token);
    }

    fn open_span(
        &mut self,
        lane: usize,
        task: &TaskPicture,
        until: Option<Timestamp>,
        token: Option<Token>,
    ) {
        match task.phase {
            Phase::Delayed => self.see(Event::RetryWaits),
            Phase::Dead => self.see(Event::DeadLetter),
            Phase::Visible | Phase::Leased => {}
        }
        let worker = task.lease.as_ref().and_then(|lease| {
            self.chart
                .workers
                .iter()
                .position(|name| *name == lease.worker)
        });
        self.open.insert(lane, self.chart.spans.len());
        self.chart.spans.push(Span {
            task: lane,
            phase: task.phase,
            step: self.step,
            from: task.since,
            until,
            end: None,
            attempt: task.attempt,
            token,
            worker,
        });
        self.set_post(lane, token, until);
    }

    fn close(&mut self, lane: usize, at: Timestamp, how: How) {
        let Some(index) = self.open.remove(&lane) else {
            return;
        };
        let span = &mut self.chart.spans[index];
        span.end = Some(End {
            step: self.step,
            at,
            how,
        });
        if how == How::Expired {
            self.see(Event::LeaseExpired);
        } else if span.phase == Phase::Leased {
            self.standing_posts(lane)
                .for_each(|(post, step)| post.gone = Some(step));
        }
    }

    fn move_post(&mut self, lane: usize, token: Option<Token>, until: Option<Timestamp>) {
        self.standing_posts(lane)
            .for_each(|(post, step)| (post.gone, post.moved) = (Some(step), true));
        self.set_post(lane, token, until);
    }

    fn set_post(&mut self, lane: usize, token: Option<Token>, until: Option<Timestamp>) {
        if let (Some(token), Some(at)) = (token, until) {
            self.chart.posts.push(Post {
                task: lane,
                token,
                at,
                step: self.step,
                gone: None,
                moved: false,
            });
        }
    }

    /// The posts of the lane's newest lease that are no ghosts, with the current step.
    fn standing_posts(&mut self, lane: usize) -> impl Iterator<Item = (&mut Post, usize)> {
        let step = self.step;
        let newest = self
            .chart
            .posts
            .iter_mut()
            .rev()
            .find(|post| post.task == lane && post.gone.is_none());
        newest.into_iter().map(move |post| (post, step))
    }
}

fn lane(lanes: &mut Vec<String>, name: &str) -> usize {
    lanes
        .iter()
        .position(|lane| lane == name)
        .unwrap_or_else(|| {
            lanes.push(name.to_string());
            lanes.len() - 1
        })
}

fn holds(picture: &Picture, task: &str) -> bool {
    picture.tasks.iter().any(|held| held.id.as_str() == task)
}

fn how_it_ended(was: Phase, is: Phase, call: Option<&Call>) -> How {
    match (was, is, call) {
        (Phase::Leased, Phase::Visible | Phase::Dead, None) => How::Expired,
        (Phase::Leased, _, Some(Call::Fail { .. })) => How::Failed,
        (Phase::Delayed, Phase::Visible, None) => How::Due,
        (Phase::Dead, Phase::Visible, _) => How::Redriven,
        (Phase::Visible, Phase::Leased, _) => How::Leased,
        _ => How::Other,
    }
}
