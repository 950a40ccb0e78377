import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";
import { Arrivals } from "./arrivals.ts";

/** A mail as it arrived. */
export interface Mail {
  /** The recipient according to the envelope. */
  readonly recipient: string;
  /** The mail as parsed by an independent library. */
  readonly email: Email;
}

/** A mail server that stores what it receives. */
export class MailSink {
  readonly mails = new Arrivals<Mail>();
  readonly #server: SMTPServer;

  private constructor() {
    this.#server = new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS"],
      logger: false,
      onData: (stream, session, callback) => {
        const recipients = session.envelope.rcptTo.map(({ address }) => address).join(",");
        const taken = buffer(stream).then((raw) => this.#take(recipients, raw));
        taken.then(() => callback(null), callback);
      },
    });
    // A sender that is killed resets its connection.
    this.#server.on("error", () => {});
  }

  static async start(): Promise<MailSink> {
    const sink = new MailSink();
    await new Promise<void>((resolve) => sink.#server.listen(0, "127.0.0.1", () => resolve()));
    return sink;
  }

  get address(): string {
    return `smtp://127.0.0.1:${(this.#server.server.address() as AddressInfo).port}`;
  }

  /** Waits until this recipient has received a mail whose subject begins with this text. */
  to(recipient: string, subject: string): Promise<Mail> {
    return this.mails.first(
      `a mail to ${recipient} about ${subject}`,
      (mail) => mail.recipient === recipient && (mail.email.subject ?? "").startsWith(subject),
    );
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.#server.close(resolve));
  }

  async #take(recipient: string, raw: Buffer): Promise<void> {
    await this.mails.take({ recipient, email: await PostalMime.parse(raw) });
  }
}
