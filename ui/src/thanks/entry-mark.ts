/** What is noted in the history entry of the thank-you page. It outlives a reload, and the way there and back. */
type Mark = "seen" | "reported";

/** Says whether something was noted in the present history entry. */
export function isEntryMarked(mark: Mark): boolean {
  if (typeof window === "undefined") return false;
  const { marks } = (window.history.state ?? {}) as { marks?: Partial<Record<Mark, boolean>> };
  return marks?.[mark] === true;
}

/** Notes something in the present history entry, beside what the router has there. */
export function markEntry(mark: Mark): void {
  const state = (window.history.state ?? {}) as { marks?: object };
  window.history.replaceState({ ...state, marks: { ...state.marks, [mark]: true } }, "");
}
