//! Pictures come out whatever the data are.

mod common;

use carom_report::plot;
use common::{double_pendulum, folder};

#[test]
fn all_pictures_of_a_double_pendulum() {
    let (case, folder) = (double_pendulum(2000, 0.005), folder("pictures"));
    let files = plot::draw_all(&case.run(), &folder).unwrap();
    assert_eq!(files.len(), 4);
}
