//! The near name for a mistyped one.

/// The candidate closest to `name`, if it is close enough to be meant.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    // One mistake in three letters, at least one; a single letter is no mistake for another.
    let limit = (name.chars().count() / 3).max(1);
    let scored = candidates.into_iter().map(|candidate| (distance(name, candidate), candidate));
    let best = scored
        .filter(|(edits, candidate)| *edits <= limit && *edits < candidate.chars().count().max(name.chars().count()));
    best.min_by_key(|(edits, _)| *edits).map(|(_, candidate)| candidate.to_owned())
}

/// Number of letters to insert, delete, replace or swap (neighbours), case ignored.
fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.to_lowercase().chars().collect();
    let b: Vec<char> = b.to_lowercase().chars().collect();
    // Names are short; a hostile text is not worth a quadratic comparison.
    if a.len() > 64 || b.len() > 64 {
        return usize::MAX;
    }
    let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
    for (i, row) in table.iter_mut().enumerate() {
        row[0] = i;
    }
    for (j, place) in table[0].iter_mut().enumerate() {
        *place = j;
    }
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let replace = table[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replace.min(table[i - 1][j] + 1).min(table[i][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(table[i - 2][j - 2] + 1);
            }
            table[i][j] = best;
        }
    }
    table[a.len()][b.len()]
}
