/**
 * How the questionnaire was filled in. By it the server marks what may be a robot's (src/inquiry/suspicion.rs); for
 * everybody else nothing changes.
 */
export interface Report {
  /** For how long the page was open, in whole milliseconds. */
  readonly fillTime: number;
  /** Whether something stands in the field that no visitor sees. */
  readonly isTrapFilled: boolean;
}

/** The headers that tell it. An attempt that an earlier version kept has no report. */
export function reportHeaders(report: Report | undefined): Record<string, string> {
  if (report === undefined) return {};
  return {
    "Form-Fill-Time": String(report.fillTime),
    ...(report.isTrapFilled && { "Form-Trap": "filled" }),
  };
}

/** The report among stored values, to be spread; nothing for what is none. An inquiry is not lost over its report. */
export function soundReport(value: unknown): { readonly report?: Report } {
  if (typeof value !== "object" || value === null) return {};
  const { fillTime, isTrapFilled } = value as Record<string, unknown>;
  if (!isMilliseconds(fillTime) || typeof isTrapFilled !== "boolean") return {};
  return { report: { fillTime, isTrapFilled } };
}

function isMilliseconds(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
