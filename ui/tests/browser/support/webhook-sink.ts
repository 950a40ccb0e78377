import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";
import { Arrivals } from "./arrivals.ts";

/** What a webhook reports about an inquiry. */
export interface Event {
  readonly type: string;
  readonly timestamp: string;
  readonly data: { readonly id: string; readonly firms: { id: string; state: string }[] } & Record<string, unknown>;
}

/** A call whose signature the standard's own library has verified. */
export interface Call {
  readonly id: string;
  readonly event: Event;
}

/** An operator's program that receives events about inquiries. */
export class WebhookSink {
  readonly calls = new Arrivals<Call>();
  /** Why calls were refused. */
  readonly refused: string[] = [];
  readonly secret = `whsec_${randomBytes(32).toString("base64")}`;
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      this.#take(request).then(
        () => response.writeHead(204).end(),
        (error: unknown) => {
          this.refused.push(String(error));
          response.writeHead(400).end();
        },
      );
    });
  }

  static async start(): Promise<WebhookSink> {
    const sink = new WebhookSink();
    await new Promise<void>((resolve) => sink.#server.listen(0, "127.0.0.1", resolve));
    return sink;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
  }

  /** Waits for the first call about this type of event. */
  async of(type: string): Promise<Event> {
    return (await this.calls.first(`a call about ${type}`, ({ event }) => event.type === type)).event;
  }

  stop(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  async #take(request: IncomingMessage): Promise<void> {
    const body = await text(request);
    const headers = request.headers as Record<string, string>;
    const event = new Webhook(this.secret).verify(body, headers) as Event;
    await this.calls.take({ id: headers["webhook-id"] ?? "", event });
  }
}
