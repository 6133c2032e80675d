//! Curves: broken where values are not finite, thinned where they are long.

/// A point of a curve.
pub(crate) type Place = [f64; 2];

/// Points per curve that a picture shows at most.
const LIMIT: usize = 4000;
/// Points that stand for one bucket: its ends and its extremes in both directions.
const PER_BUCKET: usize = 6;

/// The finite stretches of a curve, together not much longer than a picture can show.
pub(super) fn stretches(points: impl Iterator<Item = Place>) -> Vec<Vec<Place>> {
    let mut list = vec![Vec::new()];
    let mut total = 0;
    for point in points {
        let finite = point.iter().all(|x| x.is_finite());
        match list.last_mut() {
            Some(last) if finite => {
                last.push(point);
                total += 1;
            }
            Some(last) if !last.is_empty() => list.push(Vec::new()),
            _ => {}
        }
    }
    list.retain(|stretch| !stretch.is_empty());
    // Every stretch gets its share of the limit.
    let share = |length: usize| (LIMIT * length).div_ceil(total.max(1));
    list.iter().map(|stretch| thin(stretch, share(stretch.len()))).collect()
}

/// At most about `limit` of the points; every bucket keeps its ends and its extremes.
fn thin(points: &[Place], limit: usize) -> Vec<Place> {
    if points.len() <= limit.max(PER_BUCKET) {
        return points.to_vec();
    }
    let size = (points.len() * PER_BUCKET).div_ceil(limit.max(PER_BUCKET));
    points.chunks(size).flat_map(representatives).collect()
}

fn representatives(bucket: &[Place]) -> Vec<Place> {
    let by = |axis: usize| move |&i: &usize, &j: &usize| bucket[i][axis].total_cmp(&bucket[j][axis]);
    let mut kept = vec![0, bucket.len() - 1];
    for axis in 0..2 {
        kept.extend((0..bucket.len()).min_by(by(axis)));
        kept.extend((0..bucket.len()).max_by(by(axis)));
    }
    kept.sort_unstable();
    kept.dedup();
    kept.into_iter().map(|index| bucket[index]).collect()
}
