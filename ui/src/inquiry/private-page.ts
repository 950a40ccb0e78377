/** The pages of one inquiry: the visitor's and the firms'. Only the server has them, without a script. */
const PRIVATE_PATH = /^\/(?:anfrage|betrieb)\//;

/** A visitor's page. The token is base64url of at least 128 bits; nothing else may become a link. */
const VISITORS_PAGE = /^\/anfrage\/[A-Za-z0-9_-]{22,128}$/;

/** Says whether a path is that of a private page. */
export function isPrivatePath(path: string): boolean {
  return PRIVATE_PATH.test(path);
}

/** Returns the path of the visitor's private page; null for anything else, whoever sent or stored it. */
export function readPrivatePage(value: unknown): string | null {
  return typeof value === "string" && VISITORS_PAGE.test(value) ? value : null;
}
