const numbers = new Intl.NumberFormat("de-DE");
const months = new Intl.DateTimeFormat("de-DE", { month: "long", timeZone: "UTC" });

/** Formats a number in German: 1.500 and 9,2. */
export function germanNumber(value: number): string {
  return numbers.format(value);
}

/** Returns the German name of a month, counted from 1. */
export function monthName(month: number): string {
  return months.format(new Date(Date.UTC(2025, month - 1, 1)));
}

/** Fixed locale and time zone, so that the build and the browser render the same text. */
const longDate = new Intl.DateTimeFormat("de-DE", {
  day: "numeric",
  month: "long",
  year: "numeric",
  timeZone: "Europe/Berlin",
});

/** Formats a calendar date (YYYY-MM-DD) in German, such as "1. April 2025". */
export function germanLongDate(date: string): string {
  return longDate.format(new Date(`${date}T12:00:00Z`));
}
