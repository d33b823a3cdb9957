//! How limits are written in a plan: `null` where there is none, times in whole seconds and nanoseconds.

use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::campaign::{Limits, ShrinkLimits};

/// [`Limits`]; what is missing is as usual.
pub(super) mod limits {
    use super::*;

    #[derive(Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    struct Written {
        runs: Option<u64>,
        steps: u32,
        grow: u64,
        total_steps: Option<u64>,
        time: Option<Duration>,
    }

    impl Default for Written {
        fn default() -> Written {
            written(&Limits::default())
        }
    }

    fn written(&Limits { runs, steps, grow, total_steps, time }: &Limits) -> Written {
        let limit = |limit: u64| (limit < u64::MAX).then_some(limit);
        Written { runs: limit(runs), steps, grow, total_steps: limit(total_steps), time }
    }

    pub(in super::super) fn serialize<S: Serializer>(limits: &Limits, to: S) -> Result<S::Ok, S::Error> {
        written(limits).serialize(to)
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Limits, D::Error> {
        let Written { runs, steps, grow, total_steps, time } = Written::deserialize(from)?;
        let (runs, total_steps) = (runs.unwrap_or(u64::MAX), total_steps.unwrap_or(u64::MAX));
        Ok(Limits { runs, steps, grow, total_steps, time })
    }
}

/// [`ShrinkLimits`]; what is missing is as usual.
pub(super) mod shrink_limits {
    use super::*;

    #[derive(Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    struct Written {
        confirmations: u32,
        candidates: u32,
        steps: u64,
        time: Duration,
    }

    impl Default for Written {
        fn default() -> Written {
            written(&ShrinkLimits::default())
        }
    }

    fn written(&ShrinkLimits { confirmations, candidates, steps, time }: &ShrinkLimits) -> Written {
        Written { confirmations, candidates, steps, time }
    }

    pub(in super::super) fn serialize<S: Serializer>(
        limits: &ShrinkLimits,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        written(limits).serialize(to)
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<ShrinkLimits, D::Error> {
        let Written { confirmations, candidates, steps, time } = Written::deserialize(from)?;
        Ok(ShrinkLimits { confirmations, candidates, steps, time })
    }
}
