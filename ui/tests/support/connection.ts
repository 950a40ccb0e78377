import { WebSocket } from "undici";

/** The body of a command, a response or an event. */
export type Body = Readonly<Record<string, unknown>>;

/** A response has the number of its command, an event none. `error` is a text in WebDriver BiDi, an object in DevTools. */
interface Message {
  readonly id?: number;
  readonly method: string;
  readonly params: Body;
  readonly sessionId?: string;
  readonly result?: Body;
  readonly error?: unknown;
}

type Listener = (method: string, params: Body, session?: string) => void;

/**
 * A connection to a browser that speaks WebDriver BiDi (https://w3c.github.io/webdriver-bidi/) or the DevTools protocol,
 * which frame their messages alike. Only the latter has sessions, one for each attached page.
 */
export interface Connection {
  send(method: string, params?: Body, session?: string): Promise<Body>;
  onEvent(listener: Listener): void;
  close(): void;
}

interface Waiting {
  resolve(message: Message): void;
  reject(error: Error): void;
}

export async function connect(address: string): Promise<Connection> {
  const socket = new WebSocket(address);
  const waiting = new Map<number, Waiting>();
  const listeners: Listener[] = [];
  let last = 0;
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener("open", () => resolve());
    socket.addEventListener("error", () => reject(new Error(`${address} does not answer.`)));
  });
  socket.addEventListener("message", ({ data }) => {
    const message = JSON.parse(String(data)) as Message;
    if (message.id !== undefined) waiting.get(message.id)?.resolve(message);
    else for (const listener of listeners) listener(message.method, message.params, message.sessionId);
  });
  socket.addEventListener("close", () => {
    for (const { reject } of waiting.values()) reject(new Error("The browser has closed the connection."));
  });
  return {
    send: async (method, params = {}, sessionId) => {
      last += 1;
      const id = last;
      const answered = new Promise<Message>((resolve, reject) => {
        waiting.set(id, { resolve, reject });
      });
      const deadline = setTimeout(() => waiting.get(id)?.reject(new Error(`${method} is not answered.`)), PATIENCE_MS);
      socket.send(JSON.stringify({ id, method, params, sessionId }));
      const answer = await answered.finally(() => {
        clearTimeout(deadline);
        waiting.delete(id);
      });
      if (!answer.result) throw new Error(`${method}: ${JSON.stringify(answer)}`);
      return answer.result;
    },
    onEvent: (listener) => {
      listeners.push(listener);
    },
    close: () => socket.close(),
  };
}

/** How long in milliseconds a command may take: many times what it takes on a busy machine. */
const PATIENCE_MS = 30_000;
