/** The queue that tag scripts read, by the name they give it. */
type TagWindow = Window & { dataLayer?: unknown[] };

const SCRIPT_ID = "tag-manager";
const HOST = "https://www.googletagmanager.com";

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
  if (document.getElementById(SCRIPT_ID) !== null) return;
  const denied = { analytics_storage: "denied", functionality_storage: "denied" };
  const granted = { ad_storage: "granted", ad_user_data: "granted", ad_personalization: "granted" };
  tag("consent", "default", { ...denied, ...granted });
  tag("js", new Date());
  tag("config", id);
  const script = document.createElement("script");
  script.id = SCRIPT_ID;
  script.async = true;
  script.src = scriptUrl(id);
  document.head.append(script);
}

/** Containers (GTM-…) and plain tags (AW-…, G-…) have loaders of their own. */
export function scriptUrl(id: string): string {
  const loader = id.startsWith("GTM-") ? "gtm.js" : "gtag/js";
  return `${HOST}/${loader}?id=${encodeURIComponent(id)}`;
}
