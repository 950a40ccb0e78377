import { createServer } from "node:net";

/** No system uses lower ports for outgoing connections, so a server finds its port still free after a restart. */
const FIRST_EPHEMERAL = 32_768;
const FIRST = 20_000;

/** Returns a port that nothing listens on. */
export async function freePort(): Promise<number> {
  const port = FIRST + Math.floor(Math.random() * (FIRST_EPHEMERAL - FIRST));
  const server = createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => resolve(true));
  });
  if (!isFree) return freePort();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
