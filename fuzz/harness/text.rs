//! Strategies for texts that no person would type, and for nearly valid values.

use proptest::prelude::*;
use proptest::sample::Index;

/// Pieces that programs tend to misinterpret.
const NASTY: &[&str] = &[
    // White space on which Unicode, JavaScript and Rust disagree, and characters that only look like it.
    " ",
    "\t",
    "\r\n",
    "\u{b}",
    "\u{1c}",
    "\u{85}",
    "\u{a0}",
    "\u{1680}",
    "\u{180e}",
    "\u{2003}",
    "\u{200b}",
    "\u{200d}",
    "\u{200e}",
    "\u{2028}",
    "\u{2029}",
    "\u{202e}",
    "\u{2060}",
    "\u{3000}",
    "\u{feff}",
    // Control characters and the limits of Unicode.
    "\0",
    "\u{1b}",
    "\u{7f}",
    "\u{9f}",
    "\u{fffd}",
    "\u{fffe}",
    "\u{ffff}",
    "\u{10ffff}",
    // Digits beyond ASCII, letters of several characters, and characters of two UTF-16 code units.
    "０",
    "１",
    "٢",
    "²",
    "e\u{301}",
    "ß",
    "🕊",
    "👩‍🔧",
    // Characters that start a formula or prevent one.
    "=",
    "+",
    "-",
    "@",
    "＝",
    "＋",
    "－",
    "＠",
    "'",
    "''",
    // Characters with a meaning in CSV, XML, JSON, HTML, templates and addresses.
    "\"",
    ",",
    ";",
    "<",
    "&amp;",
    "]]>",
    "_x0041_",
    "_x005F_",
    "_xD83D_",
    "_x000D_",
    "_",
    "\\",
    "\\u0000",
    "%00",
    "{{",
    "/",
    ".",
    "null",
];

const MAX_PIECES: usize = 6;

/// Texts of nasty pieces, letters and arbitrary characters.
pub fn nasty() -> impl Strategy<Value = String> + Clone {
    let piece = prop_oneof![
        4 => prop::sample::select(NASTY).prop_map(str::to_owned),
        2 => prop::sample::select(&["a", "Z", "n n", "0", "7"][..]).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..=MAX_PIECES).prop_map(|pieces| pieces.concat())
}

/// The texts of a strategy, some with nasty pieces inserted.
pub fn mutated(text: impl Strategy<Value = String> + Clone) -> impl Strategy<Value = String> + Clone {
    let inserted = (text.clone(), any::<Index>(), nasty()).prop_map(|(text, at, piece)| {
        let mut chars: Vec<char> = text.chars().collect();
        let at = at.index(chars.len() + 1);
        chars.splice(at..at, piece.chars());
        chars.into_iter().collect()
    });
    prop_oneof![2 => text.clone(), 1 => inserted, 1 => (nasty(), text, nasty()).prop_map(|(a, b, c)| a + &b + &c)]
}

/// Texts of about `limit` characters, each of one to four bytes.
pub fn near_limit(limit: usize) -> impl Strategy<Value = String> + Clone {
    let character = prop::sample::select(&["a", "ü", "€", "🕊"][..]);
    (character, limit - 2..=limit + 2).prop_map(|(character, length)| character.repeat(length))
}
