import consent from "../../generated/consent.json" with { type: "json" };

/** The consent sentence above Absenden, and its version, which is kept with the inquiry. */
export const CONSENT: { readonly version: number; readonly text: string } = consent;
