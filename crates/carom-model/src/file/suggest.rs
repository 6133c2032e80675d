//! What was probably meant.

use carom_expr::text::nearest;

/// The near name; one letter is near to no other letter, only to its own other case.
pub fn near<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let found = nearest(name, candidates)?;
    let is_letter = name.chars().count() == 1 && found.chars().count() == 1;
    (!is_letter || found.eq_ignore_ascii_case(name)).then_some(found)
}

/// Names that a message lists before it breaks off.
const LISTED: usize = 20;

/// `did you mean ...?`, or a list of what there is under this title.
pub fn suggest(name: &str, title: &str, known: &[impl AsRef<str>]) -> String {
    if let Some(near) = near(name, known.iter().map(AsRef::as_ref)) {
        return format!("did you mean `{near}`?");
    }
    let listed: Vec<&str> = known.iter().take(LISTED).map(AsRef::as_ref).collect();
    let more = if known.len() > LISTED { ", ..." } else { "" };
    format!("{title}: {}{more}", listed.join(", "))
}

/// The same, with the list in any case.
pub fn suggest_from(name: &str, title: &str, known: &[&str]) -> String {
    let list = format!("{title}: {}", known.join(", "));
    match near(name, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`? {list}"),
        None => list,
    }
}

/// Other ways to write the rate of a coordinate: `x_dot`, `xdot`, `dx`, `vx`, `v_x`.
pub fn rate(name: &str, has_rate: impl Fn(&str) -> bool) -> Option<String> {
    let suffixes = ["_dot", "dot", "_d"].iter().filter_map(|suffix| name.strip_suffix(suffix));
    let prefixes = ["d_", "v_", "d", "v"].iter().filter_map(|prefix| name.strip_prefix(prefix));
    let stem = suffixes.chain(prefixes).find(|stem| has_rate(stem))?;
    Some(format!("the rate of `{stem}` is written `{stem}'`"))
}
