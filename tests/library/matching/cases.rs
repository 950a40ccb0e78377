//! The rules of matching (`docs/behaviour.md`, "Matching"), case by case. One rotation handles the inquiries of a case in order.

use jiff::SignedDuration;
use taubenabwehr::domain::inquiry::{Answers, PostalCode, Problem, PropertyType};
use taubenabwehr::domain::matching::{Firm, FirmRotation, RequestHistory};

use super::{answers, answers_of, before_now, firm, firms, ids, prefixes, texts};

/// One inquiry to a rotation, made `before` now, and the firms expected for it.
struct Ask {
    before: SignedDuration,
    answers: Answers,
    already: &'static [&'static str],
    count: usize,
    chosen: &'static [&'static str],
}

/// The usual inquiry, made now, for up to three firms.
fn ask(chosen: &'static [&'static str]) -> Ask {
    Ask {
        before: SignedDuration::ZERO,
        answers: answers(),
        already: &[],
        count: 3,
        chosen,
    }
}

const WEEK: SignedDuration = SignedDuration::from_hours(7 * 24);
const MILLISECOND: SignedDuration = SignedDuration::from_millis(1);

#[track_caller]
fn check(rule: &str, file: &[Firm], asks: &[Ask]) {
    let mut rotation = FirmRotation::new(firms(file), None::<(_, RequestHistory)>);
    for (number, ask) in asks.iter().enumerate() {
        let at = before_now(ask.before);
        let already = ids(ask.already);
        let preview = rotation.preview(&ask.answers, &already, ask.count, at);
        let chosen = rotation.ask(&ask.answers, &already, ask.count, at);
        assert_eq!(texts(&chosen), ask.chosen, "{rule}: inquiry {number}");
        assert_eq!(preview, chosen, "{rule}: the preview of inquiry {number}");
    }
}

fn in_area(id: &str, codes: &[&str]) -> Firm {
    Firm {
        postal_codes: prefixes(codes),
        ..firm(id)
    }
}

fn for_buildings(id: &str, types: &[PropertyType]) -> Firm {
    Firm {
        property_types: Some(types.to_vec()),
        ..firm(id)
    }
}

fn for_problems(id: &str, problems: &[Problem]) -> Firm {
    Firm {
        problems: Some(problems.to_vec()),
        ..firm(id)
    }
}

fn limited(id: &str, per_week: u32) -> Firm {
    Firm {
        per_week: Some(per_week),
        ..firm(id)
    }
}

#[test]
fn turns() {
    let three = [firm("a"), firm("b"), firm("c")];
    check(
        "firms that were never asked come in the order of the file",
        &three,
        &[ask(&["a", "b", "c"])],
    );
    check(
        "the least recently asked comes first, never asked before all others",
        &three,
        &[
            Ask {
                count: 1,
                ..ask(&["a"])
            },
            Ask {
                count: 2,
                ..ask(&["b", "c"])
            },
            Ask {
                count: 2,
                ..ask(&["a", "b"])
            },
            ask(&["c", "a", "b"]),
        ],
    );
    check(
        "no more are asked than wanted",
        &three,
        &[Ask { count: 0, ..ask(&[]) }],
    );
    check(
        "no firm is asked twice about an inquiry, and one that is passed over keeps its turn",
        &three,
        &[
            Ask {
                already: &["a"],
                count: 1,
                ..ask(&["b"])
            },
            Ask {
                already: &["c", "b", "gone"],
                ..ask(&["a"])
            },
            Ask {
                already: &["a", "b", "c"],
                ..ask(&[])
            },
            ask(&["c", "b", "a"]),
        ],
    );
    check(
        "the order is that of asking, also when the clock is set back",
        &three,
        &[
            Ask {
                count: 1,
                ..ask(&["a"])
            },
            Ask {
                before: WEEK,
                count: 1,
                ..ask(&["b"])
            },
            Ask {
                before: WEEK * 99,
                ..ask(&["c", "a", "b"])
            },
        ],
    );
    check("nobody is asked where there is no firm", &[], &[ask(&[])]);
}

#[test]
fn areas() {
    let file = [
        in_area("city", &["20095"]),
        in_area("centre", &["200", "20"]),
        in_area("harbour", &["2045", "21"]),
        in_area("everywhere", &["2"]),
        in_area("berlin", &["1"]),
    ];
    let at = |code, chosen| Ask {
        answers: Answers {
            postal_code: PostalCode::parse(code).unwrap(),
            ..answers()
        },
        ..ask(chosen)
    };
    check(
        "one of the prefixes begins the code",
        &file,
        &[at("20095", &["city", "centre", "everywhere"])],
    );
    check(
        "a prefix that is longer does not",
        &file,
        &[at("20097", &["centre", "everywhere"])],
    );
    check(
        "any of them is enough",
        &file,
        &[at("21031", &["harbour", "everywhere"])],
    );
    check(
        "each firm is asked once",
        &file,
        &[at("20457", &["centre", "harbour", "everywhere"])],
    );
}

#[test]
fn buildings() {
    use PropertyType::{Commercial, Industrial, Residential};
    let file = [
        for_buildings("homes", &[Residential]),
        for_buildings("work", &[Commercial, Industrial]),
        for_buildings("none", &[]),
        firm("all"),
    ];
    for (kind, chosen) in [
        (Residential, &["homes", "all"]),
        (Commercial, &["work", "all"]),
        (Industrial, &["work", "all"]),
    ] {
        let answers = answers_of(kind, &[]);
        check(
            "the building is among its types",
            &file,
            &[Ask {
                answers,
                ..ask(chosen)
            }],
        );
    }
}

#[test]
fn problems() {
    use Problem::{Droppings, Nesting, Noise, Other};
    let file = [
        for_problems("nests", &[Nesting]),
        for_problems("dirt", &[Droppings, Nesting]),
        firm("all"),
    ];
    let chosen_of = |problems: &[Problem], chosen| Ask {
        answers: answers_of(PropertyType::Residential, problems),
        ..ask(chosen)
    };
    let rule = "one of the chosen problems is among its problems";
    check(rule, &file, &[chosen_of(&[Nesting], &["nests", "dirt", "all"])]);
    check(rule, &file, &[chosen_of(&[Noise, Droppings], &["dirt", "all"])]);
    check(rule, &file, &[chosen_of(&[Noise, Other], &["all"])]);
    check(
        "without a chosen problem any firm takes it",
        &file,
        &[chosen_of(&[], &["nests", "dirt", "all"])],
    );
}

#[test]
fn limits() {
    let before = |before, chosen| Ask {
        before,
        ..ask(chosen)
    };
    check(
        "a limited firm is asked so often within seven days, and the others go on",
        &[limited("two", 2), firm("any")],
        &[ask(&["two", "any"]), ask(&["two", "any"]), ask(&["any"])],
    );
    check(
        "an ask of exactly seven days ago does not count, one a millisecond younger does",
        &[limited("one", 1)],
        &[before(WEEK, &["one"]), before(MILLISECOND, &[]), ask(&["one"])],
    );
    check(
        "the days slide: the first of two asks makes room for the next",
        &[limited("two", 2)],
        &[
            before(WEEK, &["two"]),
            before(WEEK / 2, &["two"]),
            before(MILLISECOND, &[]),
            ask(&["two"]),
            ask(&[]),
        ],
    );
    check(
        "a limit of nothing means never",
        &[limited("zero", 0)],
        &[ask(&[])],
    );
    check(
        "a firm at its limit keeps its turn until it may be asked",
        &[limited("one", 1), firm("b"), firm("c")],
        &[
            Ask {
                count: 1,
                ..before(WEEK, &["one"])
            },
            Ask {
                count: 1,
                ..before(MILLISECOND, &["b"])
            },
            Ask {
                count: 1,
                ..before(MILLISECOND, &["c"])
            },
            Ask {
                count: 2,
                ..ask(&["one", "b"])
            },
        ],
    );
    check(
        "a clock that was years ahead keeps no firm from being asked",
        &[limited("one", 1)],
        &[
            before(-WEEK * 100, &["one"]),
            before(-WEEK * 100, &[]),
            ask(&["one"]),
            ask(&[]),
        ],
    );
}

#[test]
fn pauses() {
    let paused = Firm {
        paused: true,
        ..firm("paused")
    };
    check("a paused firm is not asked", &[paused, firm("b")], &[ask(&["b"])]);
}
