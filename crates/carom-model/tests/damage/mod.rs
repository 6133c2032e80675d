//! Damage to text files, the same in every run; for readers of all formats.

/// Pieces of text that parsers stumble over.
const NASTY: [&str; 53] = [
    "\"",
    "'",
    "\"\"\"",
    "'''",
    "\\",
    "\\u0000",
    "\\uD800",
    "[",
    "]",
    "[[",
    "]]",
    "{",
    "}",
    "=",
    "==",
    ".",
    ",",
    "#",
    "\n",
    "\r\n",
    "\r",
    "\0",
    "\t",
    "\u{feff}",
    "é",
    "𝄞",
    "(",
    ")",
    "((((((((",
    "^",
    "^^",
    "**",
    "-",
    "--",
    "/0",
    "1e999",
    "1e-400",
    "nan",
    "inf",
    "-inf",
    "0x7fffffffffffffff",
    "9223372036854775808",
    "1_000",
    "''",
    "t'",
    "x''",
    "sin(",
    "if(1,2,3)",
    "atan2(0,0)",
    "[parameters]\n",
    "true",
    "1979-05-27",
    "x = {",
];

/// Numbers that are the same in every run (xorshift).
pub struct Random(pub u64);

impl Random {
    /// A number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

fn nasty<'a>(own: &[&'a str], random: &mut Random) -> &'a str {
    let at = random.below(NASTY.len() + own.len());
    NASTY.get(at).copied().unwrap_or_else(|| own[at - NASTY.len()])
}

/// Damages a text at a few places; `own` are further pieces that the format stumbles over.
pub fn mutate(text: &str, own: &[&str], random: &mut Random) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..1 + random.below(4) {
        let at = random.below(bytes.len());
        match random.below(14) {
            0 => bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 1 << random.below(8)),
            1 => drop(bytes.drain(at..(at + 1 + random.below(12)).min(bytes.len()))),
            2 | 3 => drop(bytes.splice(at..at, nasty(own, random).bytes())),
            4 => bytes.truncate(at),
            5 => bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte = 32 + random.below(95) as u8),
            6 | 7 => bytes = mutate_lines(&bytes, at.is_multiple_of(2), random),
            _ => bytes = replace_word(&bytes, random),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Puts one word of the file in the place of another, which TOML mostly survives.
fn replace_word(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.'+-*/^".contains(byte);
    let mut words: Vec<&[u8]> = bytes.chunk_by(|a, b| is_word(a) && is_word(b)).collect();
    let (first, second) = (random.below(words.len()), random.below(words.len()));
    if words.get(first).is_some_and(|word| word.iter().all(is_word)) {
        words[first] = words[second];
    }
    words.concat()
}

/// Repeats one line elsewhere, or swaps two.
fn mutate_lines(bytes: &[u8], repeat: bool, random: &mut Random) -> Vec<u8> {
    let mut lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
    let (first, second) = (random.below(lines.len()), random.below(lines.len()));
    if repeat {
        lines.insert(second, lines[first]);
    } else {
        lines.swap(first, second);
    }
    lines.join(&b'\n')
}
