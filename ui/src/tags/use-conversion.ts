import { useEffect, useRef } from "react";
import { hasMarketingConsent } from "../consent/cookie-settings.ts";
import { browserStorage } from "../browser/storage.ts";
import { useSettings } from "../settings/context.tsx";
import { tag } from "./tag-manager.ts";

/** Reports an advertising conversion when the page loads, if the visitor agreed and the operator has an id for it. */
export function useConversion(): void {
  const id = useSettings()?.tags.conversion ?? null;
  const isReported = useRef(false);

  useEffect(() => {
    if (isReported.current) return;
    if (id !== null && hasMarketingConsent(browserStorage("localStorage"))) {
      isReported.current = true;
      tag("event", "conversion", { send_to: id });
    }
  }, [id]);
}
