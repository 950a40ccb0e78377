/** The queue that tag scripts read, under the name that they expect. */
type TagWindow = Window & { dataLayer?: unknown[] };

const SCRIPT_ID = "tag-manager";
const HOST = "https://www.googletagmanager.com";

/** What marketing consent allows, in the terms of Consent Mode. */
const ADVERTISING = ["ad_storage", "ad_user_data", "ad_personalization"];

/** Queues a command for the tag scripts. They expect the arguments object itself and ignore an array. */
export function tag(..._command: unknown[]): void {
  const target: TagWindow = window;
  target.dataLayer ??= [];
  // oxlint-disable-next-line prefer-rest-params
  target.dataLayer.push(arguments);
}

/**
 * Loads the tag-manager script, once. Call it only after marketing consent: until then no third party may be contacted
 * (Consent Mode "basic").
 */
export function loadTagManager(id: string): void {
  if (isTagManagerLoaded()) {
    tag("consent", "update", advertising("granted")); // consent was withdrawn and given again
    return;
  }
  const denied = { analytics_storage: "denied", functionality_storage: "denied" };
  tag("consent", "default", { ...denied, ...advertising("granted") });
  if (isContainer(id)) {
    // A container's page-view triggers wait for this event. Google's own snippet pushes it first.
    (window as TagWindow).dataLayer?.push({ "gtm.start": Date.now(), event: "gtm.js" });
  } else {
    tag("js", new Date());
    tag("config", id);
  }
  const script = document.createElement("script");
  script.id = SCRIPT_ID;
  script.async = true;
  script.src = scriptUrl(id);
  document.head.append(script);
}

/** Tells the scripts, if loaded, that consent was withdrawn. They stay until the page is reloaded. */
export function withdrawConsent(): void {
  if (isTagManagerLoaded()) tag("consent", "update", advertising("denied"));
}

function isTagManagerLoaded(): boolean {
  return document.getElementById(SCRIPT_ID) !== null;
}

function advertising(state: "granted" | "denied"): Record<string, string> {
  return Object.fromEntries(ADVERTISING.map((name) => [name, state]));
}

/** Distinguishes a container (GTM-…) from a plain tag (AW-…, G-…): each has its own loader and commands. */
function isContainer(id: string): boolean {
  return id.startsWith("GTM-");
}

export function scriptUrl(id: string): string {
  const loader = isContainer(id) ? "gtm.js" : "gtag/js";
  return `${HOST}/${loader}?id=${encodeURIComponent(id)}`;
}
