/** What the questionnaire tells the thank-you page about an inquiry. */
export type Arrival =
  | {
      readonly status: "stored";
      readonly key: string;
      readonly reference: string | null;
      readonly firmsAsked: boolean;
      /** The private page, if this tab could not store it under the key. */
      readonly privatePage: string | null;
    }
  /** It waits in the queue under this key. */
  | { readonly status: "pending"; readonly key: string }
  /** It was neither stored nor queued. */
  | { readonly status: "failed" };

/** Gives the questionnaire's page the address of the thank-you page if that cannot be loaded. A reload then opens it. */
export function actAsThanks(arrival: Arrival): void {
  window.history.replaceState({ ...window.history.state, thanks: arrival }, "", "/danke");
  window.addEventListener("inquiry-settled", () => window.location.reload(), { once: true });
}

/**
 * Opens the thank-you page instead of the questionnaire's last step. The arrival is in the address, because storage may
 * be disabled; `inline/thanks.js` moves it into the history entry before anything is shown. `src/web/thanks.rs` reads
 * `status`, `firms` and `anfrage`.
 */
export function openThanks(arrival: Arrival): void {
  const query = new URLSearchParams({ status: arrival.status });
  if (arrival.status !== "failed") query.set("key", arrival.key);
  if (arrival.status === "stored") {
    query.set("submitted", "");
    if (arrival.reference !== null) query.set("reference", arrival.reference);
    if (arrival.firmsAsked) query.set("firms", "asked");
    if (arrival.privatePage !== null) query.set("anfrage", arrival.privatePage.replace(/^.*\//, ""));
  }
  window.location.replace(`/danke?${query}`);
}
