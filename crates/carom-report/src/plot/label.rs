//! Names and numbers as they stand in a paper: `theta1` is θ₁, 3e-7 is 3×10⁻⁷.

const GREEK: &[(&str, &str)] = &[
    ("alpha", "α"),
    ("beta", "β"),
    ("gamma", "γ"),
    ("delta", "δ"),
    ("epsilon", "ε"),
    ("zeta", "ζ"),
    ("eta", "η"),
    ("theta", "θ"),
    ("kappa", "κ"),
    ("lambda", "λ"),
    ("mu", "μ"),
    ("nu", "ν"),
    ("xi", "ξ"),
    ("rho", "ρ"),
    ("sigma", "σ"),
    ("tau", "τ"),
    ("phi", "φ"),
    ("chi", "χ"),
    ("psi", "ψ"),
    ("omega", "ω"),
    ("Gamma", "Γ"),
    ("Delta", "Δ"),
    ("Theta", "Θ"),
    ("Phi", "Φ"),
    ("Psi", "Ψ"),
    ("Omega", "Ω"),
];

/// Greek letters and indices for a name.
pub(super) fn symbol(name: &str) -> String {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let index = &name[stem.len()..];
    let stem = if index.is_empty() { stem } else { stem.trim_end_matches('_') };
    let words: Vec<&str> = stem.split('_').map(greek).collect();
    words.join("_") + &digits(index, '₀')
}

fn greek(word: &str) -> &str {
    GREEK.iter().find(|(name, _)| *name == word).map_or(word, |(_, letter)| letter)
}

/// Digits moved to the block of characters that starts with `zero`.
fn digits(text: &str, zero: char) -> String {
    let moved = |c: char| c.to_digit(10).and_then(|digit| char::from_u32(zero as u32 + digit)).unwrap_or(c);
    text.chars().map(moved).collect()
}

/// `-13` as ⁻¹³.
pub(super) fn superscript(exponent: i32) -> String {
    let raised = |c: char| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        other => digits(&other.to_string(), '⁰').chars().next().unwrap_or(other),
    };
    exponent.to_string().chars().map(raised).collect()
}

/// A true minus sign instead of the hyphen.
pub(super) fn minus(text: &str) -> String {
    text.replace('-', "−")
}

/// A number with three digits, as `0.125` or `3.14×10⁻⁷`.
pub(super) fn number(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return minus(&format!("{value}"));
    }
    let scientific = format!("{value:.2e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-3..5).contains(&exponent) {
        let decimals = (2 - exponent).max(0) as usize;
        return minus(trim(&format!("{value:.decimals$}")));
    }
    minus(&format!("{mantissa}×10{}", superscript(exponent)))
}

/// Without zeros at the end of a fraction.
fn trim(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}
