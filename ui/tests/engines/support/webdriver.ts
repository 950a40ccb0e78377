/** A session of WebDriver, the classic protocol (https://www.w3.org/TR/webdriver2/). */
export interface Session {
  get(path: string): Promise<unknown>;
  post(path: string, body?: object): Promise<unknown>;
  end(): Promise<void>;
}

export async function openSession(origin: string, capabilities: object): Promise<Session> {
  const body = { capabilities: { alwaysMatch: capabilities } };
  const { sessionId } = (await send(origin, "POST", "/session", body)) as { sessionId: string };
  const base = `/session/${sessionId}`;
  return {
    get: (path) => send(origin, "GET", base + path),
    post: (path, body = {}) => send(origin, "POST", base + path, body),
    end: async () => {
      await send(origin, "DELETE", base);
    },
  };
}

async function send(origin: string, method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(origin + path, {
    method,
    body: body ? JSON.stringify(body) : null,
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  const { value } = (await response.json()) as { value: unknown };
  if (response.ok) return value;
  const { error, message } = value as { error: string; message: string };
  throw new Error(`${path}: ${error} ${message}`);
}

/** How long in milliseconds a command may take; a browser that starts on a busy machine takes some seconds. */
const PATIENCE_MS = 30_000;
