//! Fuzzing: generates thousands of inputs that strangers or operators could send, and checks the results against an
//! independent version of the rules next to each target.
//!
//! A test run checks a fixed set of cases. `scripts/fuzz` continues for a given time, with a different seed each time.
//! Failing cases are shrunk. Failing bytes are also written to the corpus, so that every later run starts with them.

mod corpus;
mod edit;
pub mod record;
pub mod text;

use std::env;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::{Duration, Instant};

use proptest::prelude::*;
use proptest::test_runner::{Config, Reason, RngAlgorithm, TestError, TestRng, TestRunner};

use corpus::Corpus;

/// The environment variable that sets for how many seconds each target runs, instead of a number of cases.
const SECONDS: &str = "TAUBENABWEHR_FUZZ_SECONDS";
/// The environment variable that sets the seed.
const SEED: &str = "TAUBENABWEHR_FUZZ_SEED";

/// Most edits of one sample. With more of them, nearly every case would fail at the first check.
const MAX_EDITS: usize = 6;
/// Length of the longest input without a sample, in bytes.
const MAX_NOISE: usize = 300;
/// Attempts to shrink a failing case: enough for a kilobyte, and done within seconds.
const MAX_SHRINKS: u32 = 2000;

/// Feeds a target with the samples of `tests/corpus/<name>`, with edited samples and with noise. Edits use `tokens` and
/// other samples. The check panics if the target misbehaves.
pub fn bytes(name: &str, cases: u32, tokens: &'static [&'static str], check: impl Fn(&[u8])) {
    let corpus = Corpus::read(name);
    // Inputs that failed before are in the corpus and run first.
    for (path, sample) in corpus.samples.iter().chain(&Corpus::found(name)) {
        println!("{}", path.display());
        check(sample);
    }
    let samples: Vec<Vec<u8>> = corpus.samples.iter().map(|(_, sample)| sample.clone()).collect();
    let edits = prop::collection::vec(edit::strategy(samples.clone(), tokens), 1..=MAX_EDITS);
    let input = prop_oneof![
        9 => (prop::sample::select(samples), edits).prop_map(|(sample, edits)| edit::apply(sample, &edits)),
        1 => prop::collection::vec(any::<u8>(), 0..=MAX_NOISE),
    ];
    let failed = run(name, cases, &input, |input| check(&input));
    if let Err((reason, input)) = failed {
        let path = corpus.add(&input);
        let shown = String::from_utf8_lossy(&input);
        panic!("{name}: {reason}\n{shown:?}\nwritten to {}", path.display());
    }
}

/// Feeds a target with values that a strategy generates.
pub fn values<S: Strategy>(name: &str, cases: u32, strategy: &S, check: impl Fn(S::Value)) {
    if let Err((reason, value)) = run(name, cases, strategy, check) {
        panic!("{name}: {reason}\n{value:#?}");
    }
}

/// Runs one batch of cases, or as many batches as there is time for. Returns the smallest case that fails.
fn run<S: Strategy>(
    name: &str,
    cases: u32,
    strategy: &S,
    check: impl Fn(S::Value),
) -> Result<(), (String, S::Value)> {
    let time = env::var(SECONDS).map_or(Duration::ZERO, |text| Duration::from_secs(text.parse().unwrap()));
    let first_seed: u64 = env::var(SEED).map_or(0, |text| text.parse().unwrap());
    let start = Instant::now();
    for (batch, seed) in (1..).zip(first_seed..) {
        run_batch(seed, name, cases, strategy, &check)
            .map_err(|(reason, value)| (format!("{SEED}={seed}: {reason}"), value))?;
        let elapsed = start.elapsed();
        if elapsed >= time {
            let total = cases * batch;
            let speed = f64::from(total) / elapsed.as_secs_f64();
            println!("{name}: {total} cases in {elapsed:.1?}, {speed:.0} a second, from {SEED}={first_seed}");
            break;
        }
    }
    Ok(())
}

fn run_batch<S: Strategy>(
    seed: u64,
    name: &str,
    cases: u32,
    strategy: &S,
    check: impl Fn(S::Value),
) -> Result<(), (String, S::Value)> {
    let config = Config {
        cases,
        max_shrink_iters: MAX_SHRINKS,
        // The corpus persists failures.
        failure_persistence: None,
        ..Config::default()
    };
    // Gives targets with the same seed different cases.
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    let seed = [seed.to_le_bytes(), hasher.finish().to_le_bytes()].concat();
    let rng = TestRng::from_seed(RngAlgorithm::XorShift, &seed);
    let checked = TestRunner::new_with_rng(config, rng).run(strategy, |value| {
        check(value);
        Ok(())
    });
    match checked {
        Ok(()) => Ok(()),
        Err(TestError::Fail(reason, value)) => Err((reason.message().to_owned(), value)),
        Err(TestError::Abort(reason)) => unsuitable(name, &reason),
    }
}

fn unsuitable(name: &str, reason: &Reason) -> ! {
    panic!("{name}: the strategy rejects too many values: {reason}")
}

/// Returns the hash that names a failing input in the corpus.
fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    hasher.finish()
}
