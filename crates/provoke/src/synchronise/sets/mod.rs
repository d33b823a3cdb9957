//! Sets of states: how they are kept, where letters lead them, and which were met before.

pub(crate) mod bits;
pub(crate) mod family;
pub(crate) mod history;
pub(crate) mod image;
pub(crate) mod level;
pub(crate) mod preimage;
pub(crate) mod seen;
