/** The address that inquiries are sent to. */
export const INQUIRIES = "**/rest/v1/inquiries";

/** An error as the server answers it, for `route.fulfill`. */
export function errorAnswer(status: number, message: string, headers: Record<string, string> = {}) {
  return {
    status,
    headers,
    contentType: "application/json",
    body: JSON.stringify({ code: "x", message, details: null, hint: null }),
  };
}
