//! How many tests passed and failed, read from what each runner says.
//!
//! Knows: the summaries of cargo's test harness, Vitest and Playwright. Does not know: how they are
//! run. A runner that fails without a failed test (it did not compile, say) counts as one failure.

use std::iter::Sum;
use std::ops::Add;

use serde_json::Value;

/// Counted tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
}

impl Tally {
    /// A check that is one test by itself.
    pub(crate) fn one(success: bool) -> Tally {
        Tally {
            passed: success.into(),
            failed: (!success).into(),
        }
    }

    /// From a line of cargo's test harness, if it is a summary:
    /// `test result: ok. 5 passed; 0 failed; 1 ignored; …`.
    pub(crate) fn of_harness_line(line: &str) -> Option<Tally> {
        let counts = line.strip_prefix("test result: ")?.split_once(". ")?.1;
        let count = |word: &str| {
            counts
                .split("; ")
                .find_map(|count| count.strip_suffix(word)?.trim_end().parse::<u64>().ok())
        };
        Some(Tally {
            passed: count("passed")?,
            failed: count("failed")?,
        })
    }

    /// From Vitest's JSON report.
    pub(crate) fn of_vitest(report: &Value) -> Option<Tally> {
        Some(Tally {
            passed: report["numPassedTests"].as_u64()?,
            failed: report["numFailedTests"].as_u64()?,
        })
    }

    /// From Playwright's JSON report.
    pub(crate) fn of_playwright(report: &Value) -> Option<Tally> {
        let stats = &report["stats"];
        Some(Tally {
            passed: stats["expected"].as_u64()?,
            failed: stats["unexpected"].as_u64()? + stats["flaky"].as_u64()?,
        })
    }

    /// The same, but a runner that said no has at least one failure.
    pub(crate) fn confirmed_by(self, success: bool) -> Tally {
        let failed = if success {
            self.failed
        } else {
            self.failed.max(1)
        };
        Tally { failed, ..self }
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)
    }
}

impl Add for Tally {
    type Output = Tally;

    fn add(self, other: Tally) -> Tally {
        Tally {
            passed: self.passed + other.passed,
            failed: self.failed + other.failed,
        }
    }
}

impl Sum for Tally {
    fn sum<I: Iterator<Item = Tally>>(tallies: I) -> Tally {
        tallies.fold(Tally::default(), Add::add)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn tally(passed: u64, failed: u64) -> Option<Tally> {
        Some(Tally { passed, failed })
    }

    #[test]
    fn the_harness_is_understood() {
        let table = [
            (
                "test result: ok. 5 passed; 0 failed; 1 ignored; 0 measured; 2 filtered out",
                tally(5, 0),
            ),
            (
                "test result: FAILED. 41 passed; 3 failed; 0 ignored; 0 measured; 0 filtered out",
                tally(41, 3),
            ),
            ("test a_test ... ok", None),
            ("  test result: ok. 5 passed; 0 failed", None),
            ("test result: ok. five passed; 0 failed", None),
            ("running 5 tests", None),
        ];
        for (line, expected) in table {
            assert_eq!(Tally::of_harness_line(line), expected, "{line}");
        }
    }

    #[test]
    fn the_reports_are_understood() {
        let vitest = json!({ "numPassedTests": 7, "numFailedTests": 1, "numPendingTests": 1 });
        let playwright =
            json!({ "stats": { "expected": 12, "skipped": 1, "unexpected": 2, "flaky": 1 } });
        assert_eq!(Tally::of_vitest(&vitest), tally(7, 1));
        assert_eq!(Tally::of_playwright(&playwright), tally(12, 3));
        assert_eq!(Tally::of_vitest(&Value::Null), None);
        assert_eq!(Tally::of_playwright(&vitest), None);
    }

    #[test]
    fn a_failed_runner_counts_as_a_failure() {
        let four = Tally {
            passed: 4,
            failed: 0,
        };
        assert_eq!(four.confirmed_by(true).to_string(), "4 passed, 0 failed");
        assert_eq!(four.confirmed_by(false).to_string(), "4 passed, 1 failed");
        assert_eq!(
            Tally {
                passed: 4,
                failed: 3
            }
            .confirmed_by(false)
            .failed,
            3
        );
        assert_eq!(
            [four, Tally::one(true), Tally::one(false)]
                .into_iter()
                .sum::<Tally>()
                .to_string(),
            "5 passed, 1 failed"
        );
    }
}
