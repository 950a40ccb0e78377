//! Simulates random operations of several writers with crashes, lost acknowledgements, full disks and clock jumps, and checks
//! invariants: acknowledged inquiries exist exactly once, indexes match the entries, leases are exclusive, quotas are kept, and
//! erased data is gone.
//!
//! A seed determines a run. `TAUBENABWEHR_SIMULATION=1..5000` runs other seeds than the default, and `17..18` a single failing one.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use jiff::Timestamp;
use parking_lot::Mutex;
use tokio::sync::oneshot::{Receiver, channel};
use uuid::Uuid;

use super::memory::{EngineStep, MemoryDisk, MemoryEngine, StepFault};
use crate::domain::inquiry::NewInquiry;
use crate::domain::matching::{Firm, FirmId, PostalPrefix};
use crate::domain::referral::{Answer, Change, HandlingPolicy, InquiryRecord, Lane, NewReferral, Secret};
use crate::photo::Photo;
use crate::store::context::Context;
use crate::store::entry::StoredRecord;
use crate::store::job::{Job, JobTerms, Pending};
use crate::store::map::{Engine, EngineError, EntryKind, Span, View, scan};
use crate::store::operations::insert::Insert;
use crate::store::operations::*;
use crate::store::transfer::check;
use crate::store::tx::Tx;
use crate::store::values::keyed_request::{IdempotencyKey, REMEMBERED};
use crate::store::values::parts_of_confirmation;
use crate::store::writer::WriteLoop;
use crate::store::{EraseError, InsertError, PhotoRefusal, UpdateError, reads};

/// The seeds of a default run: some ten thousand operations.
const SEEDS: std::ops::Range<u64> = 1..61;

const BATCHES: usize = 60;

/// Maximum requests to a firm within seven days.
const PER_WEEK: usize = 12;

const WEEK: i64 = 7 * 24 * 3_600_000;
const DAY: u64 = 24 * 3_600_000;
const LEASE: u64 = 40_000;

/// `SplitMix64`.
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit.max(1) as u64).unwrap()
    }

    fn is_one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }
}

/// Panic payload of a process that dies.
struct Crash;

struct Instance {
    engine: MemoryEngine,
    state: WriteLoop,
    claims: Vec<LeasedDelivery>,
}

/// The state of an inquiry as known from the replies.
#[derive(Debug, Default, Clone)]
struct Known {
    id: Option<Uuid>,
    /// When it was first sent.
    sent_at: u64,
    /// Whether another copy may exist, unacknowledged or under an earlier id.
    is_unsure: bool,
    /// Whether a withdrawal or erasure was acknowledged, or may have happened.
    is_gone: bool,
    may_be_gone: bool,
}

enum Waiting {
    Insert(usize, Receiver<Result<Inserted, InsertError>>),
    Withdraw(usize, Uuid, Receiver<Result<InquiryRecord, UpdateError>>),
    Erase(usize, Uuid, Receiver<Result<u64, EraseError>>),
    Accept(Uuid, FirmId, Receiver<Result<InquiryRecord, UpdateError>>),
    Settle(Box<LeasedDelivery>, Receiver<Result<InquiryRecord, UpdateError>>),
    Lease(Receiver<LeasedBatch>),
    Photo(Receiver<Result<(), PhotoRefusal>>),
    Count(u64, Receiver<()>),
    Tick(Receiver<usize>),
}

struct Simulation {
    rng: Rng,
    disk: Arc<MemoryDisk>,
    is_alone: bool,
    instances: Vec<Instance>,
    inquiries: Vec<Known>,
    /// The holder of each leased delivery, and the end of the lease.
    leases: BTreeMap<(Uuid, u16), (usize, u64)>,
    delivered: BTreeSet<(Uuid, u16)>,
    accepted: BTreeSet<(Uuid, FirmId)>,
    counted: (u64, u64),
    clock_went_back: bool,
    operations: u64,
}

/// A firm that takes a few inquiries of Hamburg a week.
pub fn firm(id: &str) -> Firm {
    Firm {
        id: FirmId::parse(id).unwrap(),
        name: id.to_uppercase(),
        email: format!("{id}@example.de"),
        phone: None,
        website: None,
        postal_codes: vec![PostalPrefix::parse("2").unwrap()],
        property_types: None,
        problems: None,
        per_week: Some(u32::try_from(PER_WEEK).unwrap()),
        paused: false,
        commission: None,
        checked: None,
    }
}

fn mark(number: usize) -> String {
    format!("Marke{number:05}ende")
}

impl Simulation {
    fn new(seed: u64) -> Self {
        let mut rng = Rng(seed);
        let is_alone = rng.is_one_in(2);
        let disk = Arc::<MemoryDisk>::default();
        disk.set_now(1_800_000_000_000);
        let mut simulation = Self {
            rng,
            disk,
            is_alone,
            instances: Vec::new(),
            inquiries: Vec::new(),
            leases: BTreeMap::new(),
            delivered: BTreeSet::new(),
            accepted: BTreeSet::new(),
            counted: (0, 0),
            clock_went_back: false,
            operations: 0,
        };
        let count = if is_alone { 1 } else { 1 + simulation.rng.below(3) };
        for number in 0..count {
            let instance = simulation.start(number);
            simulation.instances.push(instance);
        }
        // The secret exists before the first request, since a server waits for it.
        let first = &mut simulation.instances[0];
        first.engine.set_faults(None);
        first.state.write(vec![pending(|tx: &mut Tx<'_>| tx.tick(64)).0]);
        simulation
    }

    fn engine(&self, number: usize) -> MemoryEngine {
        if self.is_alone {
            MemoryEngine::alone(&self.disk)
        } else {
            // A restarted process has a new name.
            let name = (u128::from(self.operations) << 8) + number as u128 + 1;
            MemoryEngine::shared(&self.disk, name.to_be_bytes())
        }
    }

    fn start(&mut self, number: usize) -> Instance {
        let engine = self.engine(number);
        engine.set_faults(self.faults());
        let mut state = WriteLoop::new(Arc::new(engine.clone()), Arc::<Context>::default());
        state.cache.matching.set_policy(Arc::new(HandlingPolicy {
            firms: ["a", "b", "c", "d"].map(firm).into(),
            operator_mailboxes: 1,
            visitor_mail: true,
            ..HandlingPolicy::default()
        }));
        Instance {
            engine,
            state,
            claims: Vec::new(),
        }
    }

    /// Faults for one batch: often none, else one at a random step, or a disk that stays full for a while.
    fn faults(&mut self) -> Option<super::memory::DiskFaults> {
        if !self.rng.is_one_in(3) {
            return None;
        }
        let mut steps = self.rng.below(25);
        let kind = self.rng.below(5);
        let mut full = self.rng.below(4);
        let mut is_dying = false;
        Some(Box::new(move |step| {
            if is_dying {
                resume_unwind(Box::new(Crash));
            }
            if step == EngineStep::Reopen {
                return None;
            }
            if steps > 0 {
                steps -= 1;
                return None;
            }
            match kind {
                0 => {
                    steps = usize::MAX;
                    Some(StepFault::LostBefore)
                }
                1 => {
                    steps = usize::MAX;
                    Some(StepFault::LostAfter)
                }
                2 if step == EngineStep::Commit && full > 0 => {
                    full -= 1;
                    Some(StepFault::Full)
                }
                3 => resume_unwind(Box::new(Crash)),
                4 if step == EngineStep::Commit => {
                    is_dying = true;
                    Some(StepFault::LostAfter)
                }
                _ => None,
            }
        }))
    }

    fn view(&self) -> Box<dyn View + Send> {
        let reader = MemoryEngine::shared(&self.disk, [255; 16]);
        reader.view(true).unwrap()
    }

    fn insert(&mut self, number: usize, secret: &Secret) -> (Box<dyn Job>, Waiting) {
        let body = serde_json::json!({
            "postal_code": "20095", "property_type": "residential", "types_of_problems": "nesting",
            "first_name": "Anna", "last_name": mark(number), "email_address": format!("anna{}@example.de", number % 7),
            "phone_number": "+49 40 1234567",
        });
        let now = Timestamp::from_millisecond(i64::try_from(self.disk.now()).unwrap()).unwrap();
        let inquiry = NewInquiry::parse(body.to_string().as_bytes(), now).unwrap();
        let key = IdempotencyKey::parse(format!("key-{number}").as_bytes());
        let mut insert = Insert::new(inquiry, NewReferral::default(), key.as_ref(), secret);
        let (job, replied) = pending(move |tx: &mut Tx<'_>| insert.apply(tx));
        (job, Waiting::Insert(number, replied))
    }

    fn any_inquiry(&mut self) -> Option<(usize, Uuid)> {
        let number = self.rng.below(self.inquiries.len());
        let id = self.inquiries.get(number)?.id?;
        Some((number, id))
    }

    /// The next operation; `None` if it has no subject.
    fn operation(&mut self, instance: usize, secret: &Secret) -> Option<(Box<dyn Job>, Waiting)> {
        Some(match self.rng.below(20) {
            0..=5 => {
                self.inquiries.push(Known {
                    sent_at: self.disk.now(),
                    ..Known::default()
                });
                self.insert(self.inquiries.len() - 1, secret)
            }
            6 | 7 => {
                let number = self.rng.below(self.inquiries.len());
                self.inquiries.get(number)?;
                self.insert(number, secret)
            }
            8 => {
                let (number, id) = self.any_inquiry()?;
                self.inquiries[number].may_be_gone = true;
                let (job, replied) = pending(update(id, Change::Withdraw));
                (job, Waiting::Withdraw(number, id, replied))
            }
            9 => {
                let (number, id) = self.any_inquiry()?;
                self.inquiries[number].may_be_gone = true;
                let ids = BTreeSet::from([id]);
                let must_exist = self.rng.is_one_in(2);
                let (job, replied) = pending(move |tx: &mut Tx<'_>| tx.erase(&ids, must_exist));
                (job, Waiting::Erase(number, id, replied))
            }
            10..=12 => {
                let (_, id) = self.any_inquiry()?;
                let entry: StoredRecord = reads::entry(&*self.view(), id).unwrap()?;
                let asked = entry.record.referral.asked;
                let index = self.rng.below(asked.len());
                let firm = asked.get(index)?.firm.clone();
                let index = u8::try_from(index).unwrap();
                if self.rng.is_one_in(4) {
                    let (job, replied) = pending(update(id, Change::Decline(index)));
                    drop(replied);
                    return Some((job, Waiting::Count(0, channel().1)));
                }
                let (job, replied) = pending(update(id, Change::Accept(index)));
                (job, Waiting::Accept(id, firm, replied))
            }
            13 | 14 => {
                let lane = Lane::Mail;
                let limit = 1 + self.rng.below(8);
                let holds = self.instances[instance].state.context.holds.clone();
                let (job, replied) = pending(move |tx: &mut Tx<'_>| tx.lease(lane, limit, &holds));
                (job, Waiting::Lease(replied))
            }
            15 | 16 => {
                let claim = self.instances[instance].claims.pop()?;
                let settled = Change::Settle(claim.id.number, Ok(()));
                let (job, replied) = pending(update(claim.id.inquiry, settled));
                (job, Waiting::Settle(Box::new(claim), replied))
            }
            17 => {
                let (_, id) = self.any_inquiry()?;
                let jpeg = [&[0xff, 0xd8, 0xff][..], b"photo", &[0xff, 0xd9]].concat();
                let photo = Photo {
                    large: jpeg.clone(),
                    small: jpeg,
                };
                let photos = [photo];
                let (job, replied) = pending(move |tx: &mut Tx<'_>| tx.add_photos(id, &photos));
                (job, Waiting::Photo(replied))
            }
            18 => {
                let add = 1 + self.rng.next() % 5;
                let counts = BTreeMap::from([("inquiry".to_owned(), add)]);
                let day = jiff::civil::date(2026, 11, 8);
                let (job, replied) = pending(move |tx: &mut Tx<'_>| tx.count_up(day, &counts));
                (job, Waiting::Count(add, replied))
            }
            _ => {
                let (job, replied) = pending(|tx: &mut Tx<'_>| tx.tick(64));
                (job, Waiting::Tick(replied))
            }
        })
    }

    fn step(&mut self) {
        let number = self.rng.below(self.instances.len());
        self.pass_time();
        let secret = reads::secret(&*self.view())
            .unwrap()
            .unwrap_or(Secret::new([0; 32]));
        let faults = self.faults();
        self.instances[number].engine.set_faults(faults);
        let mut jobs = Vec::new();
        let mut waiting = Vec::new();
        for _ in 0..=self.rng.below(6) {
            if let Some((job, reply)) = self.operation(number, &secret) {
                jobs.push(job);
                waiting.push(reply);
            }
        }
        self.operations += jobs.len() as u64;
        let renews = self.rng.is_one_in(5);
        let wipes = self.rng.is_one_in(10);
        let state = &mut self.instances[number].state;
        let now = self.disk.now();
        let done = catch_unwind(AssertUnwindSafe(|| {
            state.write(jobs);
            if renews {
                state.renew();
            }
            if wipes {
                let _ = state.wipe();
            }
        }));
        if renews {
            let own = self.leases.values_mut().filter(|(holder, _)| *holder == number);
            // Holds even if the clock was set back or the process dies after the commit.
            own.for_each(|(_, until)| *until = (*until).min(now + LEASE));
        }
        if let Err(panic) = done {
            if !panic.is::<Crash>() {
                resume_unwind(panic);
            }
            self.crashed(number);
        }
        for reply in waiting {
            self.hear(number, reply, now);
        }
    }

    fn pass_time(&mut self) {
        let now = self.disk.now();
        let now = match self.rng.below(40) {
            0 => now + DAY * 8,
            1 => now + DAY,
            2 if !self.is_alone => now.saturating_sub(3_600_000).max(1_700_000_000_000),
            3..=8 => now + LEASE,
            _ => now + self.rng.next() % 5_000,
        };
        self.clock_went_back |= now < self.disk.now();
        self.disk.set_now(now);
    }

    fn crashed(&mut self, number: usize) {
        let instance = self.start(number);
        let dead = std::mem::replace(&mut self.instances[number], instance);
        // A dead process releases nothing.
        dead.claims.into_iter().for_each(std::mem::forget);
        if self.is_alone {
            self.leases.clear();
        }
        self.leases
            .retain(|_, (holder, _)| *holder != number || !self.is_alone);
        for (holder, _) in self.leases.values_mut().filter(|(holder, _)| *holder == number) {
            // No living process holds it until it expires.
            *holder = usize::MAX;
        }
    }

    fn hear(&mut self, instance: usize, reply: Waiting, now: u64) {
        match reply {
            Waiting::Insert(number, mut replied) => match replied.try_recv() {
                Ok(Ok(inserted)) => {
                    let id = inserted.into_inquiry().id;
                    let known = &mut self.inquiries[number];
                    let is_remembered = now < known.sent_at + REMEMBERED;
                    if let Some(before) = known.id.filter(|_| is_remembered && !self.clock_went_back) {
                        assert_eq!(before, id, "a key has two inquiries");
                    }
                    if known.id != Some(id) {
                        // The first one may still exist after its key has expired.
                        known.is_unsure |= known.id.is_some();
                        (known.id, known.is_gone, known.may_be_gone) = (Some(id), false, false);
                    }
                }
                Ok(Err(InsertError::KeyReused)) => panic!("the same request is another one"),
                Ok(Err(InsertError::Unavailable(_))) | Err(_) => self.inquiries[number].is_unsure = true,
            },
            Waiting::Withdraw(number, id, mut replied) => {
                if let Ok(Ok(_)) = replied.try_recv() {
                    let known = &mut self.inquiries[number];
                    known.is_gone |= known.id == Some(id);
                }
            }
            Waiting::Erase(number, id, mut replied) => {
                if let Ok(Ok(_)) = replied.try_recv() {
                    let known = &mut self.inquiries[number];
                    known.is_gone |= known.id == Some(id);
                }
            }
            Waiting::Accept(id, firm, mut replied) => {
                if let Ok(Ok(_)) = replied.try_recv() {
                    self.accepted.insert((id, firm));
                }
            }
            Waiting::Settle(claim, mut replied) => {
                let delivery = (claim.id.inquiry, claim.id.number);
                if let Ok(Ok(_)) = replied.try_recv() {
                    self.instances[instance]
                        .state
                        .context
                        .holds
                        .settled(claim.hold.held);
                    self.delivered.insert(delivery);
                }
                self.leases.remove(&delivery);
            }
            Waiting::Lease(mut replied) => {
                let Ok(batch) = replied.try_recv() else { return };
                for claim in batch.claims {
                    let delivery = (claim.id.inquiry, claim.id.number);
                    assert!(!self.delivered.contains(&delivery), "{delivery:?} is sent again");
                    if let Some((holder, until)) = self.leases.get(&delivery) {
                        let is_free = *until <= now || *holder == instance;
                        assert!(
                            is_free,
                            "{delivery:?} is tried by two: {holder} until {until}, and {instance} at {now}, alone {}",
                            self.is_alone
                        );
                    }
                    self.leases.insert(delivery, (instance, now + LEASE));
                    if self.rng.is_one_in(5) {
                        self.leases.remove(&delivery);
                    } else {
                        self.instances[instance].claims.push(claim);
                    }
                }
            }
            Waiting::Count(add, mut replied) => {
                if replied.try_recv().is_ok() {
                    self.counted.0 += add;
                }
                self.counted.1 += add;
            }
            Waiting::Photo(mut replied) => drop(replied.try_recv()),
            Waiting::Tick(mut replied) => drop(replied.try_recv()),
        }
    }

    fn check(&self) {
        let view = self.view();
        let findings = check(&*view);
        assert_eq!(findings.damaged, Vec::<String>::new());
        let mut marks = BTreeMap::new();
        let mut asked: BTreeMap<FirmId, Vec<i64>> = BTreeMap::new();
        scan(&*view, Span::all(EntryKind::Inquiries), |key, value| {
            let entry = StoredRecord::<InquiryRecord>::decode(&key, &value)?;
            let referral = &entry.record.referral;
            let accepted = referral
                .asked
                .iter()
                .filter(|asked| matches!(asked.answer, Answer::Accepted(_)));
            assert!(accepted.count() <= 3);
            for request in &referral.asked {
                asked
                    .entry(request.firm.clone())
                    .or_default()
                    .push(request.at.as_millisecond());
            }
            if let Some(inquiry) = entry.record.inquiry {
                let name = inquiry.answers.last_name.as_str().to_owned();
                marks.entry(name).or_insert_with(Vec::new).push(inquiry.id);
            }
            Ok::<_, EngineError>(true)
        })
        .unwrap();
        for (number, known) in self.inquiries.iter().enumerate() {
            let there = marks.remove(&mark(number)).unwrap_or_default();
            let Some(id) = known.id else {
                let is_remembered = self.disk.now() < known.sent_at + REMEMBERED && !self.clock_went_back;
                assert!(
                    there.len() <= 1 || !is_remembered,
                    "{number} is there {} times",
                    there.len()
                );
                continue;
            };
            if known.is_gone {
                assert!(!there.contains(&id), "{number} was erased");
                let listed = view.get(EntryKind::Erased, id.as_bytes()).unwrap();
                assert!(listed.is_some(), "{number} is not listed as erased");
            } else if !known.may_be_gone {
                assert!(there.contains(&id), "{number} was acknowledged");
            }
        }
        for (id, firm) in &self.accepted {
            let kept = reads::acceptances_of(&*view, *id).unwrap();
            let kept = kept.iter().filter(|kept| kept.firm == *firm).count();
            assert_eq!(kept, 1, "an acceptance in the ledger");
        }
        let counted = reads::counts(&*view, jiff::civil::date(2026, 1, 1)).unwrap();
        let counted = counted
            .first()
            .and_then(|(_, counts)| counts.get("inquiry").copied());
        let counted = counted.unwrap_or_default();
        assert!((self.counted.0..=self.counted.1).contains(&counted), "counts");
        if !self.clock_went_back {
            Self::check_quotas(&*view, asked);
        }
    }

    fn check_quotas(view: &dyn View, asked: BTreeMap<FirmId, Vec<i64>>) {
        for (firm, mut times) in asked {
            times.sort_unstable();
            let is_kept = times
                .windows(PER_WEEK + 1)
                .all(|few| few[PER_WEEK] - few[0] >= WEEK);
            assert!(is_kept, "{firm} is asked too often");
        }
        let mut sent: BTreeMap<[u8; 16], Vec<u64>> = BTreeMap::new();
        scan(view, Span::all(EntryKind::Confirmations), |key, count| {
            let (at, mailbox) = parts_of_confirmation(&key)?;
            let times = sent.entry(mailbox).or_default();
            times.extend(std::iter::repeat_n(at, count[0].into()));
            Ok::<_, EngineError>(true)
        })
        .unwrap();
        for times in sent.into_values() {
            assert!(
                times.windows(4).all(|few| few[3] - few[0] >= DAY),
                "confirmations"
            );
        }
    }

    /// Asserts that no traces of erased data remain after a wipe.
    fn check_traces(&mut self) {
        for instance in &mut self.instances {
            instance.engine.set_faults(None);
            instance
                .state
                .write(vec![pending(|tx: &mut Tx<'_>| tx.tick(64)).0]);
        }
        if self.is_alone {
            self.instances[0].state.wipe().unwrap();
        }
        for (number, _) in self
            .inquiries
            .iter()
            .enumerate()
            .filter(|(_, known)| known.is_gone && !known.is_unsure)
        {
            assert!(
                !self.disk.has_bytes(mark(number).as_bytes()),
                "{number} has left traces"
            );
        }
    }
}

fn pending<R: Send + 'static>(
    operation: impl FnMut(&mut Tx<'_>) -> Result<R, EngineError> + Send + 'static,
) -> (Box<dyn Job>, Receiver<R>) {
    let (caller, reply) = channel();
    let pending = Pending::new(JobTerms::default(), operation, caller);
    (Box::new(pending), reply)
}

fn update(
    id: Uuid,
    change: Change,
) -> impl FnMut(&mut Tx<'_>) -> Result<Result<InquiryRecord, UpdateError>, EngineError> + Send + 'static {
    move |tx| Ok(tx.update(id, &change)?.map_err(UpdateError::Refused))
}

fn run(seed: u64) -> u64 {
    let mut simulation = Simulation::new(seed);
    for batch in 0..BATCHES {
        simulation.step();
        if batch % 10 == 9 {
            simulation.check();
        }
    }
    simulation.check_traces();
    simulation.check();
    simulation.operations
}

#[test]
fn whatever_happens_nothing_acknowledged_is_lost_or_doubled() {
    let seeds = match env::var("TAUBENABWEHR_SIMULATION") {
        Ok(range) => {
            let (from, to) = range.split_once("..").expect("FROM..TO");
            from.parse().unwrap()..to.parse().unwrap()
        }
        Err(_) => SEEDS,
    };
    let next = AtomicU64::new(seeds.start);
    let operations = AtomicU64::new(0);
    let failed = Mutex::new(None);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while failed.lock().is_none() {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if !seeds.contains(&seed) {
                        break;
                    }
                    match catch_unwind(|| run(seed)) {
                        Ok(count) => drop(operations.fetch_add(count, Ordering::Relaxed)),
                        Err(_) => *failed.lock() = Some(seed),
                    }
                }
            });
        }
    });
    if let Some(seed) = failed.into_inner() {
        panic!(
            "seed {seed} fails: TAUBENABWEHR_SIMULATION={seed}..{} replays it",
            seed + 1
        );
    }
    println!("{} operations", operations.into_inner());
}
