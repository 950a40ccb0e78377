/** Matches the address to which inquiries are sent. */
export const INQUIRIES = "**/rest/v1/inquiries";

/** Returns an error response like the server's, for `route.fulfill`. */
export function errorAnswer(status: number, message: string, headers: Record<string, string> = {}) {
  return {
    status,
    headers,
    contentType: "application/json",
    body: JSON.stringify({ code: "x", message, details: null, hint: null }),
  };
}
