/** Fixed locale and time zone, so that the build and the browser render the same text. */
const longDate = new Intl.DateTimeFormat("de-DE", {
  day: "numeric",
  month: "long",
  year: "numeric",
  timeZone: "Europe/Berlin",
});

/** Formats a calendar date (YYYY-MM-DD) as in "1. April 2025". */
export function germanLongDate(date: string): string {
  return longDate.format(new Date(`${date}T12:00:00Z`));
}
