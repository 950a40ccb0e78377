import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { connect, createServer } from "node:net";
import { createServer as createTlsServer } from "node:tls";

/** The first byte of a TLS connection, which starts with a handshake record. */
const HANDSHAKE = 0x16;

/**
 * Opens one port for HTTPS and HTTP, because the scanner accepts only one. Connections are forwarded unchanged to the ports set
 * by `passTo`.
 */
export async function openEntrance() {
  const ports = { https: 0, http: 0 };
  const open = new Set();
  const entrance = await listening(
    createServer((visitor) => {
      open.add(visitor.on("error", () => visitor.destroy()).on("close", () => open.delete(visitor)));
      visitor.once("data", (first) => {
        visitor.pause();
        forward(visitor, first[0] === HANDSHAKE ? ports.https : ports.http, first);
      });
    }),
  );
  const stop = () => {
    for (const visitor of open) visitor.destroy();
    entrance.close();
  };
  return { host: `localhost:${portOf(entrance)}`, passTo: (to) => Object.assign(ports, to), stop };
}

/** Starts a reverse proxy like an operator's: it forwards HTTPS to the site's port, and redirects HTTP to HTTPS. */
export async function startProxy(certificate, sitePort) {
  const secure = await listening(createTlsServer(certificate, (visitor) => forward(visitor, sitePort)));
  const plain = await listening(
    createHttpServer((request, response) => {
      response.writeHead(301, { Location: `https://${request.headers.host}${request.url}`, Connection: "close" }).end();
    }),
  );
  const stop = () => {
    for (const server of [plain, secure]) server.close();
  };
  return { ports: { https: portOf(secure), http: portOf(plain) }, stop };
}

const portOf = (server) => server.address().port;

async function listening(server) {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

/** Relays between a visitor and a local port until either side closes. */
function forward(visitor, port, first = "") {
  const other = connect(port, "127.0.0.1");
  for (const end of [visitor, other]) end.on("error", () => [visitor, other].forEach((each) => each.destroy()));
  other.write(first);
  visitor.pipe(other).pipe(visitor);
}
