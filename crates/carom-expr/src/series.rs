//! Taylor series.
