//! Property tests: the rotation matches the naive implementation over restarts and changes of firms, and it is fair.

use std::collections::HashMap;
use std::sync::Arc;

use jiff::SignedDuration;
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use taubenabwehr::domain::inquiry::{Answers, Choice, PostalCode, Problem, PropertyType};
use taubenabwehr::domain::matching::{Firm, FirmId, FirmRotation, PostalPrefix, RequestHistory};

use super::naive::Naive;
use super::{answers, firm, firms, now};

/// An event in the life of a rotation.
#[derive(Debug, Clone)]
enum Step {
    /// An inquiry arrives this many minutes after the last one.
    Ask {
        answers: Answers,
        already: Vec<FirmId>,
        count: usize,
        minutes: i64,
    },
    /// The configuration file is replaced by one with other firms.
    Replace(Vec<Firm>),
    /// The program is restarted.
    Restart,
}

/// Few prefixes and ids, so that firms compete and reappear.
const PREFIXES: [&str; 6] = ["2", "20", "200", "20095", "21", "22"];
const CODES: [&str; 4] = ["20095", "20097", "21031", "22765"];
const IDS: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];

fn a_firm(id: &'static str) -> impl Strategy<Value = Firm> {
    (
        subsequence(PREFIXES.to_vec(), 1..=3),
        of(subsequence(PropertyType::ALL.to_vec(), 1..=3)),
        of(subsequence(Problem::ALL.to_vec(), 1..=6)),
        of(0_u32..6),
        prop::bool::weighted(0.1),
    )
        .prop_map(
            move |(prefixes, property_types, problems, per_week, paused)| Firm {
                postal_codes: prefixes
                    .iter()
                    .map(|prefix| PostalPrefix::parse(prefix).unwrap())
                    .collect(),
                property_types,
                problems,
                per_week,
                paused,
                commission: None,
                ..firm(id)
            },
        )
}

fn some_firms() -> impl Strategy<Value = Vec<Firm>> {
    subsequence(IDS.to_vec(), 1..=IDS.len())
        .prop_shuffle()
        .prop_flat_map(|ids| ids.into_iter().map(a_firm).collect::<Vec<_>>())
}

fn an_ask() -> impl Strategy<Value = Step> {
    (
        select(CODES.to_vec()),
        select(PropertyType::ALL.to_vec()),
        subsequence(Problem::ALL.to_vec(), 0..=2),
        subsequence(IDS.to_vec(), 0..=2),
        0_usize..=3,
        0_i64..2000,
    )
        .prop_map(
            |(code, property_type, types_of_problems, already, count, minutes)| Step::Ask {
                answers: Answers {
                    postal_code: PostalCode::parse(code).unwrap(),
                    property_type,
                    types_of_problems,
                    ..answers()
                },
                already: already.iter().map(|id| FirmId::parse(id).unwrap()).collect(),
                count,
                minutes,
            },
        )
}

fn a_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        30 => an_ask(),
        1 => some_firms().prop_map(Step::Replace),
        1 => Just(Step::Restart),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_roster_chooses_as_the_contract_says(mut file in some_firms(), steps in vec(a_step(), 1..120)) {
        let mut rotation = FirmRotation::new(firms(&file), None::<(_, RequestHistory)>);
        let mut naive = Naive::default();
        let mut stored = HashMap::new();
        let mut time = now();
        for step in steps {
            match step {
                Step::Ask { answers, already, count, minutes } => {
                    time += SignedDuration::from_mins(minutes);
                    let expected = naive.ask(&file, &answers, &already, count, time);
                    prop_assert_eq!(&rotation.preview(&answers, &already, count, time), &expected);
                    prop_assert_eq!(rotation.ask(&answers, &already, count, time), expected);
                    for firm in rotation.take_asked() {
                        let asks = rotation.asks(&firm).unwrap().to_bytes();
                        stored.insert(firm, asks);
                    }
                    prop_assert!(rotation.take_asked().is_empty());
                }
                Step::Replace(replaced) => {
                    rotation.firms = firms(&replaced);
                    file = replaced;
                }
                Step::Restart => {
                    let history = stored.iter();
                    let history = history.map(|(id, asks): (&FirmId, &Vec<u8>)| (id.clone(), RequestHistory::from_bytes(asks).unwrap()));
                    rotation = FirmRotation::new(firms(&file), history);
                }
            }
        }
    }

    #[test]
    fn stored_asks_survive_any_damage(bytes in vec(any::<u8>(), 0..40)) {
        if let Some(asks) = RequestHistory::from_bytes(&bytes) {
            let history = [(FirmId::parse("a").unwrap(), asks)];
            let mut rotation = FirmRotation::new(firms(&[Firm { per_week: Some(2), ..firm("a") }]), history);
            rotation.ask(&answers(), &[], 1, now());
        }
    }
}

#[test]
fn firms_that_take_the_same_inquiries_are_asked_as_often() {
    let all: Vec<_> = (0..50).map(|number| firm(&format!("firm-{number}"))).collect();
    let file: Arc<[Firm]> = firms(&all);
    let mut rotation = FirmRotation::new(Arc::clone(&file), None::<(_, RequestHistory)>);
    let mut counts = HashMap::<FirmId, usize>::new();
    // 50 is not a multiple of 3, so that inquiries start at every place of the file.
    for inquiry in 0..10_007 {
        let chosen = rotation.ask(&answers(), &[], 3, now());
        assert_eq!(chosen.len(), 3, "inquiry {inquiry}");
        for id in chosen {
            *counts.entry(id).or_default() += 1;
        }
        let least = file
            .iter()
            .map(|firm| counts.get(&firm.id).copied().unwrap_or_default())
            .min();
        assert!(
            counts.values().max() <= least.map(|least| least + 1).as_ref(),
            "inquiry {inquiry}"
        );
    }
}

#[test]
fn two_thousand_firms_come_to_their_turns_in_the_order_of_the_file() {
    let all: Vec<_> = (0..2000).map(|number| firm(&format!("firm-{number}"))).collect();
    let mut rotation = FirmRotation::new(firms(&all), None::<(_, RequestHistory)>);
    for round in 0..2 {
        let asked: Vec<_> = (0..1000)
            .flat_map(|_| rotation.ask(&answers(), &[], 2, now()))
            .collect();
        assert!(asked.iter().eq(all.iter().map(|firm| &firm.id)), "round {round}");
    }
}
