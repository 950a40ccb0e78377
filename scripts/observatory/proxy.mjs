import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { connect, createServer } from "node:net";
import { createServer as createTlsServer } from "node:tls";

/** The first byte of a TLS connection, which starts with a handshake record. */
const HANDSHAKE = 0x16;

/**
 * Starts a reverse proxy like an operator's: it forwards HTTPS and redirects HTTP to HTTPS. Both share one port, because
 * the scanner accepts only one.
 */
export async function startProxy(certificate) {
  let sitePort = 0;
  const secure = await listening(createTlsServer(certificate, (visitor) => forward(visitor, sitePort)));
  const plain = await listening(
    createHttpServer((request, response) => {
      response.writeHead(301, { Location: `https://${request.headers.host}${request.url}`, Connection: "close" }).end();
    }),
  );
  const open = new Set();
  const entrance = await listening(
    createServer((visitor) => {
      open.add(visitor.on("error", () => visitor.destroy()).on("close", () => open.delete(visitor)));
      visitor.once("data", (first) => {
        visitor.pause();
        forward(visitor, portOf(first[0] === HANDSHAKE ? secure : plain), first);
      });
    }),
  );
  const stop = () => {
    for (const visitor of open) visitor.destroy();
    for (const server of [entrance, plain, secure]) server.close();
  };
  return { host: `localhost:${portOf(entrance)}`, passTo: (port) => (sitePort = port), stop };
}

const portOf = (server) => server.address().port;

async function listening(server) {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

/** Connects a visitor to a local port until either side closes. */
function forward(visitor, port, first = "") {
  const other = connect(port, "127.0.0.1");
  for (const end of [visitor, other]) end.on("error", () => [visitor, other].forEach((each) => each.destroy()));
  other.write(first);
  visitor.pipe(other).pipe(visitor);
}
