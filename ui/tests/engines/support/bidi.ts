import { WebSocket } from "undici";

/** The body of a command, an answer or an event. */
export type Body = Readonly<Record<string, unknown>>;

type Message =
  | { id: number; type: string; result: Body; message: string }
  | { id?: never; method: string; params: Body };

interface Waiting {
  resolve(message: Message): void;
  reject(error: Error): void;
}

/** A connection to a browser that speaks WebDriver BiDi (https://w3c.github.io/webdriver-bidi/). */
export interface Bidi {
  send(method: string, params?: Body): Promise<Body>;
  onEvent(listener: (method: string, params: Body) => void): void;
  close(): void;
}

export async function connectBidi(address: string): Promise<Bidi> {
  const socket = new WebSocket(address);
  const waiting = new Map<number, Waiting>();
  const listeners: ((method: string, params: Body) => void)[] = [];
  let last = 0;

  await new Promise<void>((resolve, reject) => {
    socket.addEventListener("open", () => resolve());
    socket.addEventListener("error", () => reject(new Error(`${address} does not answer.`)));
  });
  socket.addEventListener("message", ({ data }) => {
    const message = JSON.parse(String(data)) as Message;
    if (message.id === undefined) for (const listener of listeners) listener(message.method, message.params);
    else waiting.get(message.id)?.resolve(message);
  });
  socket.addEventListener("close", () => {
    for (const { reject } of waiting.values()) reject(new Error("The browser has closed the connection."));
  });

  return {
    send: async (method, params = {}) => {
      last += 1;
      const id = last;
      const answered = new Promise<Message>((resolve, reject) => {
        waiting.set(id, { resolve, reject });
      });
      const deadline = setTimeout(() => waiting.get(id)?.reject(new Error(`${method} is not answered.`)), PATIENCE_MS);
      socket.send(JSON.stringify({ id, method, params }));
      const answer = await answered.finally(() => {
        clearTimeout(deadline);
        waiting.delete(id);
      });
      if (!("result" in answer)) throw new Error(`${method}: ${(answer as { message?: string }).message}`);
      return answer.result;
    },
    onEvent: (listener) => {
      listeners.push(listener);
    },
    close: () => socket.close(),
  };
}

/** How long in milliseconds a command may take: many times what one takes on a machine that is busy. */
const PATIENCE_MS = 30_000;
