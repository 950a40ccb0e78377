//! Normalization of telephone numbers for dialling and for comparison.

/// A number as dialled, for `tel:` URLs. Drops the `(0)` of `+49 (0)40`, which is not dialled after a country code.
pub fn dialled(number: &str) -> String {
    let dialled = |text: &str| -> String {
        let is_dialled = |c: &char| c.is_ascii_digit() || *c == '+';
        text.chars().filter(is_dialled).collect()
    };
    match number.split_once("(0)") {
        Some((country, rest)) if is_country(&dialled(country)) => dialled(country) + &dialled(rest),
        _ => dialled(number),
    }
}

fn is_country(code: &str) -> bool {
    code.starts_with('+') || code.starts_with("00")
}

/// The digits of a German number without country code and leading zeros: `+49 40 1`, `0049 40 1`, `+49 (0)40 1` and `040 1` are the
/// same number.
pub fn national(number: &str) -> String {
    let digits: String = number.chars().filter(char::is_ascii_digit).collect();
    let international = digits.strip_prefix("00").unwrap_or(&digits);
    let national = international.strip_prefix("49").unwrap_or(international);
    national.trim_start_matches('0').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zero_in_brackets_is_dialled_where_no_country_code_precedes_it() {
        for (number, expected) in [
            ("+49 (40) 123-45", "+494012345"),
            ("+49 (0)40 / 123.45", "+494012345"),
            ("0049 (0)40 12345", "00494012345"),
            ("(0)40 12345", "04012345"),
            ("040/12345", "04012345"),
        ] {
            assert_eq!(dialled(number), expected, "{number}");
        }
    }

    #[test]
    fn spellings_are_one_number() {
        for (spellings, expected) in [
            (
                ["040 12345678", "+49 (0)40 / 123.456.78", "0049 40 12345678"],
                "4012345678",
            ),
            // Leer in East Frisia.
            (["0491 123456", "+49 491 123456", "0049491 123456"], "491123456"),
        ] {
            for spelling in spellings {
                assert_eq!(national(spelling), expected, "{spelling}");
            }
        }
    }
}
