/**
 * What tells a robot from a visitor: how the questionnaire was filled in. The server marks a suspicious inquiry
 * (src/domain/inquiry/suspicion.rs); nothing else depends on it.
 */
export interface BotSignals {
  /** How long the page was open, in whole milliseconds. */
  readonly fillTime: number;
  /** Whether the field that no visitor sees holds anything. */
  readonly isTrapFilled: boolean;
}

/** Returns the headers that carry the signals; none for a stored inquiry whose signals are broken. */
export function botSignalHeaders(signals: BotSignals | undefined): Record<string, string> {
  if (signals === undefined) return {};
  return {
    "Form-Fill-Time": String(signals.fillTime),
    ...(signals.isTrapFilled && { "Form-Trap": "filled" }),
  };
}

/** Reads stored signals; undefined for anything malformed. An inquiry is not lost over its signals. */
export function readBotSignals(value: unknown): BotSignals | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { fillTime, isTrapFilled } = value as Record<string, unknown>;
  if (!isMilliseconds(fillTime) || typeof isTrapFilled !== "boolean") return undefined;
  return { fillTime, isTrapFilled };
}

function isMilliseconds(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
