/** The queue that tag scripts read, by the name they give it. */
type TagWindow = Window & { dataLayer?: unknown[] };

const SCRIPT_ID = "tag-manager";
const HOST = "https://www.googletagmanager.com";

/** What marketing consent allows, in the words of Consent Mode. */
const ADVERTISING = ["ad_storage", "ad_user_data", "ad_personalization"];

/** A command for the tag scripts. They want the arguments object itself: an array would be ignored. */
export function tag(..._command: unknown[]): void {
  const target: TagWindow = window;
  target.dataLayer ??= [];
  // oxlint-disable-next-line prefer-rest-params
  target.dataLayer.push(arguments);
}

/**
 * Loads the tag-manager script, once. To be called only after marketing consent: nothing is asked of a third party
 * before (Consent Mode "basic").
 */
export function loadTagManager(id: string): void {
  if (isTagManagerLoaded()) {
    tag("consent", "update", advertising("granted")); // given again after it was withdrawn
    return;
  }
  const denied = { analytics_storage: "denied", functionality_storage: "denied" };
  tag("consent", "default", { ...denied, ...advertising("granted") });
  if (isContainer(id)) announceStart();
  else {
    tag("js", new Date());
    tag("config", id);
  }
  const script = document.createElement("script");
  script.id = SCRIPT_ID;
  script.async = true;
  script.src = scriptUrl(id);
  document.head.append(script);
}

/** Tells the scripts, if there are any, that consent was withdrawn. They stay until the page is loaded anew. */
export function withdrawConsent(): void {
  if (isTagManagerLoaded()) tag("consent", "update", advertising("denied"));
}

export function isTagManagerLoaded(): boolean {
  return document.getElementById(SCRIPT_ID) !== null;
}

function advertising(state: "granted" | "denied"): Record<string, string> {
  return Object.fromEntries(ADVERTISING.map((name) => [name, state]));
}

/** The event that a container's page-view triggers wait for: the first thing that Google's own snippet pushes. */
function announceStart(): void {
  const target: TagWindow = window;
  target.dataLayer?.push({ "gtm.start": Date.now(), event: "gtm.js" });
}

/** Containers (GTM-…) and plain tags (AW-…, G-…) have loaders and commands of their own. */
function isContainer(id: string): boolean {
  return id.startsWith("GTM-");
}

export function scriptUrl(id: string): string {
  const loader = isContainer(id) ? "gtm.js" : "gtag/js";
  return `${HOST}/${loader}?id=${encodeURIComponent(id)}`;
}
