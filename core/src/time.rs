//! The clock as a number: an instant is whole milliseconds since the clock's epoch.
//!
//! It knows how instants and lengths add up. It deliberately does not know what time it is: there is no
//! `now()` in this crate, so a test, a simulation and a page move time by writing a number.

use core::fmt;
use core::time::Duration;
use serde::{Deserialize, Serialize};

/// An instant: whole milliseconds since the clock's epoch.
///
/// At most [`Timestamp::MAX`], 2^53 - 1 ms, so that every instant is exact in a JavaScript number and in
/// a JSON record. Sums saturate there; they never wrap.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(try_from = "u64", into = "u64")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(type = "number"))]
pub struct Timestamp(u64);

impl Timestamp {
    /// The epoch.
    pub const ZERO: Timestamp = Timestamp(0);
    /// The last instant there is: 2^53 - 1 ms, about 285 thousand years after the epoch.
    pub const MAX: Timestamp = Timestamp((1 << 53) - 1);

    /// The instant `millis` ms after the epoch; later than [`Timestamp::MAX`] is [`Timestamp::MAX`].
    pub const fn from_millis(millis: u64) -> Self {
        if millis > Self::MAX.0 {
            Self::MAX
        } else {
            Timestamp(millis)
        }
    }

    /// The instant `secs` seconds after the epoch; saturates like [`Timestamp::from_millis`].
    pub const fn from_secs(secs: u64) -> Self {
        Self::from_millis(secs.saturating_mul(1_000))
    }

    /// Milliseconds since the epoch.
    pub const fn as_millis(self) -> u64 {
        self.0
    }

    /// This instant plus a length. A length finer than 1 ms rounds up, so nothing is ever early; a sum
    /// past the end saturates at [`Timestamp::MAX`].
    pub fn plus(self, length: Duration) -> Self {
        Self::from_millis(self.0.saturating_add(millis_up(length)))
    }

    /// How long after `earlier` this instant is; zero if it is not after it.
    pub fn since(self, earlier: Timestamp) -> Duration {
        Duration::from_millis(self.0.saturating_sub(earlier.0))
    }
}

/// A length in whole milliseconds, rounded up; saturates at `u64::MAX`.
pub fn millis_up(length: Duration) -> u64 {
    let rest = u64::from(length.subsec_nanos().div_ceil(1_000_000));
    length.as_secs().saturating_mul(1_000).saturating_add(rest)
}

/// Seconds with as many decimals as the number needs: `45`, `4.999`. The chapters' tables write times so.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_secs(f, self.0)
    }
}

/// Writes `millis` as seconds with as many decimals as needed.
pub(crate) fn write_secs(f: &mut fmt::Formatter<'_>, millis: u64) -> fmt::Result {
    let (secs, rest) = (millis / 1_000, millis % 1_000);
    match rest {
        0 => write!(f, "{secs}"),
        _ if rest % 100 == 0 => write!(f, "{secs}.{}", rest / 100),
        _ if rest % 10 == 0 => write!(f, "{secs}.{:02}", rest / 10),
        _ => write!(f, "{secs}.{rest:03}"),
    }
}

/// A length, shown in seconds like a [`Timestamp`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Secs(pub(crate) Duration);

impl fmt::Display for Secs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_secs(f, millis_up(self.0))
    }
}

impl From<Timestamp> for u64 {
    fn from(at: Timestamp) -> u64 {
        at.0
    }
}

impl TryFrom<u64> for Timestamp {
    type Error = TimeTooLarge;

    fn try_from(millis: u64) -> Result<Self, TimeTooLarge> {
        if millis > Self::MAX.0 {
            Err(TimeTooLarge { millis })
        } else {
            Ok(Timestamp(millis))
        }
    }
}

/// A written time lies past [`Timestamp::MAX`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeTooLarge {
    /// The number that was written, in milliseconds.
    pub millis: u64,
}

impl fmt::Display for TimeTooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "a time is at most {} ms, this is {} ms: write an earlier one",
            Timestamp::MAX.0,
            self.millis
        )
    }
}

impl core::error::Error for TimeTooLarge {}

/// Lengths as whole milliseconds in JSON.
pub(crate) mod serde_millis {
    use core::time::Duration;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer>(length: &Duration, to: S) -> Result<S::Ok, S::Error> {
        super::millis_up(*length).serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
        u64::deserialize(from).map(Duration::from_millis)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn a_length_finer_than_a_millisecond_rounds_up() {
        let nanos = |n| Timestamp::ZERO.plus(Duration::from_nanos(n)).as_millis();
        assert_eq!(
            [0, 1, 999_999, 1_000_000, 1_000_001].map(nanos),
            [0, 1, 1, 1, 2]
        );
    }

    #[test]
    fn sums_saturate_at_the_last_instant() {
        assert_eq!(
            Timestamp::MAX.plus(Duration::from_millis(1)),
            Timestamp::MAX
        );
        assert_eq!(Timestamp::ZERO.plus(Duration::MAX), Timestamp::MAX);
        assert_eq!(Timestamp::from_secs(u64::MAX), Timestamp::MAX);
        assert_eq!(Timestamp::ZERO.since(Timestamp::MAX), Duration::ZERO);
    }

    #[test]
    fn instants_read_as_seconds() {
        let text = |ms| Timestamp::from_millis(ms).to_string();
        assert_eq!(
            [0, 45_000, 4_999, 500, 1_010].map(text),
            ["0", "45", "4.999", "0.5", "1.01"]
        );
    }

    #[test]
    fn a_written_time_past_the_end_is_refused_with_its_value() {
        let error = serde_json::from_str::<Timestamp>("9007199254740992")
            .unwrap_err()
            .to_string();
        assert!(error.contains("9007199254740992"), "{error}");
    }
}
