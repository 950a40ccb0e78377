import { onReturn, whenShown } from "../../browser/lifecycle.ts";
import { hasMarketingConsent, onConsentChange } from "../../enhancements/consent/cookie-settings.ts";
import { isLoadedByToken, isPrivateAddress, isPrivateVisit } from "../../inquiry/private-page.ts";
import { readSettings } from "../../template/site-settings.ts";

/** The code for tags, once it was needed. It comes only after consent. */
let code: Promise<typeof import("./tag-manager.ts")> | null = null;

const loadCode = () => (code ??= import("./tag-manager.ts"));

/** The page whose loading is an advertising conversion. */
const CONVERSION_PATH = "/danke";

/** Loads the operator's tag manager once the visitor has agreed to marketing, now or on an earlier visit. */
export function startTags(): void {
  if (window.location.pathname === CONVERSION_PATH) whenShown(reportConversion);
  const id = readSettings().tags.tag_manager;
  if (id === null) return;
  const look = () => {
    if (hasMarketingConsent() && isLoadedByToken() && !isPrivateAddress(window.location.href)) window.location.reload();
    else if (mayLoad()) void loadCode().then(({ loadTagManager }) => mayLoad() && loadTagManager(id));
    else void code?.then(({ withdrawConsent }) => withdrawConsent());
  };
  whenShown(look);
  onConsentChange(look);
  // A script cannot be unloaded when consent is withdrawn, so the page is loaded from the server, without it.
  onReturn(() => (code && !mayLoad() ? window.location.reload() : look()));
}

/** Reports an advertising conversion if the page has tags, the visitor agreed and the operator has an id for it. */
function reportConversion(): void {
  const id = readSettings().tags.conversion;
  if (id === null || !mayLoad()) return;
  void loadCode().then(({ tag }) => tag("event", "conversion", { send_to: id }));
}

/**
 * A tag script reports address and referrer. Those that hold a token are secrets, so such a page goes without tags. One that
 * has given its token away (`inline/thanks.js`) is loaded again, by its new address.
 */
const mayLoad = () => !isPrivateVisit() && hasMarketingConsent();
