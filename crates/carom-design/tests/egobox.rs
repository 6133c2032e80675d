//! Our own kriging against egobox, in the same run: `cargo test --package carom-design --features egobox --test egobox`.
#![cfg(feature = "egobox")]

mod common;

use common::*;

/// Seeds that no setting of ours was chosen on; those were chosen on 101 to 140.
const SEEDS: std::ops::RangeInclusive<u64> = 61..=100;

#[test]
fn peer_branin_takes_no_more_evaluations_than_egobox_does() {
    let count = |method: &str| {
        let each = SEEDS.map(|seed| evaluations_by(method, branin, BRANIN, branin_variables(), seed, 40));
        median_and_worst(each.collect())
    };
    let (own, other) = (count("kriging"), count("egobox"));
    eprintln!("Branin, median and worst: {own:?} evaluations, egobox {other:?}");
    assert!(own.0 <= other.0, "{own:?} {other:?}");
}

#[test]
fn peer_hartman3_takes_no_more_evaluations_than_egobox_does() {
    let count = |method: &str| {
        let each = SEEDS.map(|seed| evaluations_by(method, hartman3, HARTMAN3, hartman3_variables(), seed, 40));
        median_and_worst(each.collect())
    };
    let (own, other) = (count("kriging"), count("egobox"));
    eprintln!("Hartman3, median and worst: {own:?} evaluations, egobox {other:?}");
    assert!(own.0 <= other.0, "{own:?} {other:?}");
}
