//! The engines under test.

use std::ffi::OsStr;
use std::time::Duration;

use taubenabwehr::store::Clock;
use taubenabwehr::store::postgres::Connector;
use taubenabwehr::store::{Location, Store};
use tempfile::TempDir;

use crate::postgres::Schema;
use crate::support::FakeClock;

/// An engine with its own storage, which can be opened repeatedly.
pub trait Engine {
    /// Opens the store, which must not be open elsewhere.
    fn open(&self) -> Store;
    /// Like [`Self::open`], with this clock.
    fn open_with(&self, clock: &FakeClock) -> Store;
}

/// redb in a fresh directory.
pub struct RedbEngine(TempDir);

impl RedbEngine {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }
}

impl Engine for RedbEngine {
    fn open(&self) -> Store {
        Store::open(self.0.path()).unwrap()
    }

    fn open_with(&self, clock: &FakeClock) -> Store {
        let store = Store::open_with_clock(self.0.path(), Duration::ZERO, clock.clock());
        store.unwrap()
    }
}

/// PostgreSQL in a fresh schema.
pub struct PostgresEngine(Schema);

impl PostgresEngine {
    /// Creates a schema, if a server is configured.
    pub fn new() -> Option<Self> {
        Schema::new().map(Self)
    }

    pub fn schema(&self) -> &Schema {
        &self.0
    }

    pub fn location(&self) -> Location {
        Location::parse(OsStr::new(&self.0.url())).unwrap()
    }

    /// Opens the store with retries, as a server does: an unoptimized build may take longer to read a flooded database than the
    /// store waits.
    fn connect(&self, clock: Option<&Clock>) -> Store {
        const TRIES: usize = 4;
        let connect = || {
            let connector = Connector::new(&self.0.url().parse().unwrap()).unwrap();
            let connect = Store::connect_now(connector, clock.cloned());
            tokio::task::block_in_place(|| tokio::runtime::Handle::current().block_on(connect))
        };
        for _ in 1..TRIES {
            if let Ok(store) = connect() {
                return store;
            }
        }
        connect().unwrap()
    }
}

impl Engine for PostgresEngine {
    fn open(&self) -> Store {
        self.connect(None)
    }

    fn open_with(&self, clock: &FakeClock) -> Store {
        self.connect(Some(&clock.clock()))
    }
}

/// Runs every case of the suite on an engine, if it is available.
macro_rules! suite {
    ($engine:ident; $new:expr; $suite:ident; $($case:ident)*) => {
        mod $engine {
            use super::*;

            $(
                #[tokio::test(flavor = "multi_thread")]
                async fn $case() {
                    if let Some(engine) = $new {
                        crate::$suite::$case(&engine).await;
                    }
                }
            )*
        }
    };
}

/// Runs the cases on each engine.
macro_rules! on_each_engine {
    ($suite:ident; $($case:ident)*) => {
        mod $suite {
            use super::*;

            suite!(redb; Some(RedbEngine::new()); $suite; $($case)*);
            suite!(postgres; PostgresEngine::new(); $suite; $($case)*);
        }
    };
}

on_each_engine! {
    suite;
    what_is_inserted_is_there_after_a_restart
    many_at_once_are_stored_once_each
    ids_grow_when_the_clock_is_corrected_and_over_restarts
    a_range_counts_since_and_not_until
    a_snapshot_does_not_change
    inserts_and_erasures_at_once_lose_nothing
}

on_each_engine! {
    referrals;
    an_inquiry_tells_operator_firms_and_visitor
    answers_ask_the_next_until_nobody_is_left
    more_than_wanted_cannot_accept
    it_is_told_that_nobody_is_left_only_where_nobody_has_accepted
    nobody_matches
    a_suspected_inquiry_waits_for_the_operator
    who_gets_no_confirmation_does_not_hear_that_nobody_is_left
    additions_reach_firms_that_were_asked_before
    corrections_tell_firms_that_accepted_and_fill_free_places
    additions_reach_nobody_who_is_out
    whoever_got_anything_hears_of_the_withdrawal
    without_firms_nobody_is_missing
}

on_each_engine! {
    withdrawals;
    a_withdrawn_inquiry_is_erased_and_its_readers_are_told
    nobody_hears_of_an_inquiry_that_was_withdrawn_before_anything_was_sent
    only_firms_that_may_have_the_inquiry_are_told
    a_firm_whose_mail_was_under_way_in_a_crash_is_told
}

on_each_engine! {
    ledger;
    an_outcome_is_noted_for_ninety_days
    a_closed_month_stays_as_it_is
}

on_each_engine! {
    upkeep;
    retention_goes_by_when_an_inquiry_was_received
    an_id_of_the_future_keeps_no_inquiry
}

on_each_engine! {
    by_hand;
    a_firm_is_asked_by_hand_but_not_twice
    a_refusal_names_what_stands_in_the_way
    what_a_paused_firm_was_being_sent_reopens_only_what_was_asked_despite_the_pause
    inquiries_of_a_week_are_matched_again
}

on_each_engine! {
    desk;
    a_code_lets_in_once_and_for_ten_minutes
    a_wrong_code_keeps_no_writer_busy
    a_session_lasts_for_twelve_hours_or_thirty_days
    three_login_links_are_mailed_in_an_hour
    a_backup_lets_nobody_in
}
