//! Against egobox 0.42, whose counts from the same initial designs are written down here, so that they need not be built: seeds 1 to
//! 20 take it 24 evaluations in the median and 31 in the worst case to come within 1 % of the minimum of Branin's function, 15
//! and 30 for Hartman's of three variables. Ours takes 16 and 23, 13 and 29. `egobox.rs` runs both, on other seeds.
//!
//! Another comparison gave 12 to 19 for Hartman's function with egobox 1.0; our worst case of 29 does not come up to that.

mod common;

use common::*;

#[test]
fn peer_branin_takes_no_more_evaluations_than_egobox() {
    let count = |seed| evaluations_to_1_percent(branin, BRANIN, branin_variables(), seed, 30);
    let (median, worst) = median_and_worst((1..=20).map(count).collect());
    assert!(median <= 22 && worst <= 27, "{median}, {worst}");
}

#[test]
fn peer_hartman3_takes_no_more_evaluations_than_egobox() {
    let count = |seed| evaluations_to_1_percent(hartman3, HARTMAN3, hartman3_variables(), seed, 30);
    let (median, worst) = median_and_worst((1..=20).map(count).collect());
    assert!(median <= 15 && worst <= 30, "{median}, {worst}");
}

#[test]
#[ignore = "known failure: 29 in the worst case of seeds 1 to 20, where egobox 1.0 was once measured with 12 to 19; egobox 0.42 takes 30 there"]
fn peer_hartman3_takes_no_more_evaluations_than_egobox_1_0_in_the_worst_case() {
    let count = |seed| evaluations_to_1_percent(hartman3, HARTMAN3, hartman3_variables(), seed, 30);
    let (median, worst) = median_and_worst((1..=20).map(count).collect());
    assert!(worst <= 19, "{median}, {worst}");
}
