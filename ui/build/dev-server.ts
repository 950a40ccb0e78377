import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";

/** Where developers find the site; 0 takes any free port. */
const PORT = Number(process.env.PORT ?? 8080);

/**
 * What pages load here besides: a script that loads them again when there is another site. It says which one the page is of, since
 * the next may have come while the page was loading.
 */
const SCRIPT = "/dev/reload.js";
const EVENTS = "/dev/events";
const RELOAD = `const { search } = new URL(import.meta.url);
new EventSource("${EVENTS}" + search).onmessage = () => location.reload();\n`;

/** The event that says so. */
const ANOTHER = "data: another\n\n";

/** The server of a site that changes. */
export interface DevServer {
  /** Shows the site as it is now, and has every open page load again. */
  show(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Serves a site by the program itself, which reads all of it at its start: for another site it is started again, in some
 * tenths of a second, during which requests wait.
 */
export async function serveAnew(program: string, folder: string): Promise<DevServer> {
  let running: ChildProcess | undefined;
  let origin = awaited();
  let number = 0;
  const pages = new Set<ServerResponse>();
  const site = async () => ({ number, address: await origin.promise });

  const front = createServer((asked, answer) => {
    const [path, query = ""] = (asked.url ?? "").split("?");
    if (path === SCRIPT) answer.writeHead(200, { "content-type": "text/javascript" }).end(RELOAD);
    else if (path === EVENTS) {
      answer.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
      pages.add(answer.once("close", () => pages.delete(answer)));
      if (query !== String(number)) answer.write(ANOTHER);
    } else void forward(site, asked, answer);
  });
  front.listen(PORT, "127.0.0.1");
  await once(front, "listening");
  const address = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;

  const end = async () => {
    if (running === undefined || running.exitCode !== null) return;
    const ended = once(running, "exit");
    // As after a power cut, which the store survives: a server that ends normally waits for its connections.
    running.kill("SIGKILL");
    await ended;
  };

  return {
    show: async () => {
      const isFirst = running === undefined;
      origin = awaited();
      number += 1;
      await end();
      const data = join(folder, "data");
      const flags = [
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--public-url",
        address,
        "--data-dir",
        data,
        "--rate-limit",
        "0",
      ];
      const started = spawn(program, flags, {
        stdio: ["ignore", "pipe", "inherit"],
        env: { ...process.env, TAUBENABWEHR_DEV_FOLDER: join(folder, "site") },
      });
      running = started;
      createInterface({ input: started.stdout }).on("line", (line) => {
        const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
        if (found) origin.resolve(found);
      });
      await Promise.race([
        origin.promise,
        once(started, "exit").then(() => Promise.reject(new Error("the server ended"))),
      ]);
      for (const page of pages) page.write(ANOTHER);
      if (isFirst) console.log(`Open ${address}`);
    },
    stop: async () => {
      await end();
      front.close();
      front.closeAllConnections();
    },
  };
}

/** The site that is shown, once its server listens. */
interface Shown {
  number: number;
  address: string;
}

/** Passes a request on. What a server has not answered when it is ended, the next one answers. */
async function forward(site: () => Promise<Shown>, asked: IncomingMessage, answer: ServerResponse): Promise<void> {
  for (let tried = 0; ; ) {
    const shown = await site();
    try {
      await pass(shown, asked, answer);
      return;
    } catch {
      if (answer.headersSent || asked.method !== "GET" || shown.number === tried) {
        answer.destroy();
        return;
      }
      tried = shown.number;
    }
  }
}

/** Passes a request on, and the answer back, with the script in every page. */
function pass({ number, address }: Shown, asked: IncomingMessage, answer: ServerResponse): Promise<void> {
  return new Promise((done, fail) => {
    const headers = { ...asked.headers, "accept-encoding": "identity" };
    const passed = request(address + asked.url, { method: asked.method, headers }, (response) => {
      const status = response.statusCode ?? 502;
      // Names of files stay the same, so a browser that keeps one would show an old one.
      const sent: NodeJS.Dict<string | string[]> = { ...response.headers, "cache-control": "no-store" };
      if (!sent["content-type"]?.includes("text/html")) {
        response.once("error", fail).once("end", done).pipe(answer.writeHead(status, sent));
        return;
      }
      delete sent["content-length"];
      const script = asked.method === "HEAD" ? "" : `<script type="module" src="${SCRIPT}?${number}"></script>`;
      text(response).then((page) => done(void answer.writeHead(status, sent).end(page + script)), fail);
    });
    passed.once("error", fail);
    if (asked.method === "GET") passed.end();
    else asked.pipe(passed);
  });
}

/** An address that is not known yet. */
function awaited(): { promise: Promise<string>; resolve: (address: string) => void } {
  let resolve: (address: string) => void = () => {};
  const promise = new Promise<string>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
