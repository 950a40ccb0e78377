import { onReturn, whenShown } from "../../browser/lifecycle.ts";
import { hasMarketingConsent, onConsentChange } from "../../enhancements/consent/cookie-settings.ts";
import { isLoadedByToken, isPrivateAddress, isPrivateVisit } from "../../inquiry/private-page.ts";
import { readSettings } from "../../template/site-settings.ts";

/** The code for tags, once it has been needed. It is loaded only after consent. */
let code: Promise<typeof import("./tag-manager.ts")> | null = null;

const loadCode = () => (code ??= import("./tag-manager.ts"));

/** Loading this page counts as an advertising conversion. */
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
  // A script cannot be unloaded when consent is withdrawn, so the page is loaded again without it.
  onReturn(() => (code && !mayLoad() ? window.location.reload() : look()));
}

/** Reports an advertising conversion if the page may have tags, the visitor agreed and the operator has an id for it. */
function reportConversion(): void {
  const id = readSettings().tags.conversion;
  if (id === null || !mayLoad()) return;
  void loadCode().then(({ tag }) => tag("event", "conversion", { send_to: id }));
}

/**
 * Tag scripts report the page's address and referrer. If these contain a token, they are secret, so the page gets no
 * tags. A page that has removed its token from the address (`inline/thanks.js`) is reloaded at the new one.
 */
const mayLoad = () => !isPrivateVisit() && hasMarketingConsent();
