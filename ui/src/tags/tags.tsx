import { useEffect } from "react";
import { onConsentChange } from "../consent/consent-events.ts";
import { hasMarketingConsent } from "../consent/cookie-settings.ts";
import { browserStorage } from "../browser/storage.ts";
import { isPrivatePath } from "../inquiry/private-page.ts";
import { useLocation } from "../routing/router.ts";
import { useSettings } from "../settings/context.tsx";
import { isTagManagerLoaded, loadTagManager, withdrawConsent } from "./tag-manager.ts";

/** Loads the operator's tag manager once the visitor has agreed to marketing, now or on an earlier visit. */
export function Tags() {
  const id = useSettings()?.tags.tag_manager ?? null;
  const { pathname } = useLocation();

  useEffect(() => {
    if (id === null) return undefined;
    const look = () => (mayLoad() ? loadTagManager(id) : withdrawConsent());
    look();
    return onConsentChange(look);
  }, [id]);

  // A script cannot be unloaded when consent is withdrawn, so the next page is loaded from the server, without it.
  useEffect(() => {
    if (isTagManagerLoaded() && !mayLoad()) window.location.reload();
  }, [pathname]);

  return null;
}

const mayLoad = () => !isFromPrivatePage() && hasMarketingConsent(browserStorage("localStorage"));

/** A tag script reports the referrer. The address of a private page is a secret, so the next page goes without tags. */
function isFromPrivatePage(): boolean {
  const { referrer } = document;
  return URL.canParse(referrer) && isPrivatePath(new URL(referrer).pathname);
}
