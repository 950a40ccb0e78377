import { useEffect } from "react";
import { browserStorage } from "../inquiry/storage.ts";
import { useSettings } from "../settings/context.tsx";
import { hasMarketingConsent, onConsentChange } from "./consent.ts";
import { loadTagManager } from "./tag-manager.ts";

/** Loads the operator's tag manager once the visitor has agreed to marketing, now or on an earlier visit. */
export function Tags() {
  const id = useSettings()?.tags.tag_manager ?? null;

  useEffect(() => {
    if (id === null) return undefined;
    const look = () => {
      if (hasMarketingConsent(browserStorage("localStorage"))) loadTagManager(id);
    };
    look();
    return onConsentChange(look);
  }, [id]);

  return null;
}
