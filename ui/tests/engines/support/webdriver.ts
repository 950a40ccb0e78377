/** A session of WebDriver, the classic protocol (https://www.w3.org/TR/webdriver2/). */
export interface Session {
  post(path: string, body?: object): Promise<unknown>;
  /** Runs the body of a function in the page, and returns its result as text. */
  run(script: string): Promise<string>;
  end(): Promise<void>;
}

export async function openSession(origin: string, capabilities: object): Promise<Session> {
  const body = { capabilities: { alwaysMatch: capabilities } };
  const { sessionId } = (await send(origin, "POST", "/session", body)) as { sessionId: string };
  const base = `/session/${sessionId}`;
  return {
    post: (path, body = {}) => send(origin, "POST", base + path, body),
    run: async (script) => String(await send(origin, "POST", `${base}/execute/sync`, { script, args: [] }, SCRIPT_MS)),
    end: async () => {
      await send(origin, "DELETE", base);
    },
  };
}

async function send(
  origin: string,
  method: string,
  path: string,
  body?: object,
  patience = PATIENCE_MS,
): Promise<unknown> {
  const response = await fetch(origin + path, {
    method,
    body: body ? JSON.stringify(body) : null,
    signal: AbortSignal.timeout(patience),
  });
  const { value } = (await response.json()) as { value: unknown };
  if (response.ok) return value;
  const { error, message } = value as { error: string; message: string };
  throw new Error(`${path}: ${error} ${message}`);
}

/**
 * How long in milliseconds a script may take. WebKit never responds if the document was just being replaced; callers that
 * wait for the next document ask again.
 */
const SCRIPT_MS = 5_000;

/** How long in milliseconds a command may take; starting a browser on a busy machine takes some seconds. */
const PATIENCE_MS = 30_000;
