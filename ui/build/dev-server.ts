import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** Where developers find the site; 0 takes any free port. */
const PORT = Number(process.env.PORT ?? 8080);

/** What pages load here besides: a script that loads them again when there is another site. */
const SCRIPT = "/dev/reload.js";
const EVENTS = "/dev/events";
const RELOAD = `new EventSource("${EVENTS}").onmessage = () => location.reload();\n`;

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
  const pages = new Set<ServerResponse>();

  const front = createServer(async (asked, answer) => {
    if (asked.url === SCRIPT) answer.writeHead(200, { "content-type": "text/javascript" }).end(RELOAD);
    else if (asked.url === EVENTS) {
      answer.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
      pages.add(answer.once("close", () => pages.delete(answer)));
    } else forward(await origin.promise, asked, answer);
  });
  front.listen(PORT, "127.0.0.1");
  await once(front, "listening");
  const address = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;

  const end = async () => {
    if (running === undefined || running.exitCode !== null) return;
    const ended = once(running, "exit");
    // As after a power cut, which the store survives: a server that is told to end waits for its connections.
    running.kill("SIGKILL");
    await ended;
  };

  return {
    show: async () => {
      const isFirst = running === undefined;
      origin = awaited();
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
        env: { ...process.env, TAUBENABWEHR_DEV_FOLDER: folder },
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
      for (const page of pages) page.write("data: reload\n\n");
      if (isFirst) console.log(`Open ${address}`);
    },
    stop: async () => {
      await end();
      front.close();
      front.closeAllConnections();
    },
  };
}

/** Passes a request on, and the answer back, with the script in every page. */
function forward(origin: string, asked: IncomingMessage, answer: ServerResponse): void {
  const headers = { ...asked.headers, "accept-encoding": "identity" };
  const passed = request(origin + asked.url, { method: asked.method, headers }, (response) => {
    const status = response.statusCode ?? 502;
    // Names of files stay the same, so a browser that keeps one would show an old one.
    const sent: NodeJS.Dict<string | string[]> = { ...response.headers, "cache-control": "no-store" };
    if (!sent["content-type"]?.includes("text/html")) {
      response.pipe(answer.writeHead(status, sent));
      return;
    }
    delete sent["content-length"];
    answer.writeHead(status, sent);
    response.pipe(answer, { end: false });
    response.once("end", () =>
      answer.end(asked.method === "HEAD" ? "" : `<script type="module" src="${SCRIPT}"></script>`),
    );
  });
  passed.once("error", () => answer.destroy());
  asked.pipe(passed);
}

/** An address that is not known yet. */
function awaited(): { promise: Promise<string>; resolve: (address: string) => void } {
  let resolve: (address: string) => void = () => {};
  const promise = new Promise<string>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
