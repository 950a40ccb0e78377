// Sends requests over HTTP/2, all at once on one connection, and prints the responses as JSON.
import { connect } from "node:http2";
import { text } from "node:stream/consumers";

const { origin, address, port, authority, requests } = JSON.parse(await text(process.stdin));
const session = connect(origin, { ca: authority, lookup: (_host, options, done) => {
    const found = { address, family: 4 };
    options.all ? done(null, [found]) : done(null, found.address, found.family);
}, port });
session.on("error", (error) => {
    console.error(error);
    process.exit(1);
});

// Status 0 means that the stream was reset.
const send = ({ method, path, headers, body }) =>
    new Promise((resolve) => {
        const fields = { ":method": method, ":path": path, ...Object.fromEntries(headers) };
        const stream = session.request(fields, { endStream: body === "" });
        const response = { status: 0, headers: {}, body: "" };
        stream.setEncoding("utf8");
        stream.on("response", ({ ":status": status, ...fields }) => {
            response.status = status;
            response.headers = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]));
        });
        stream.on("data", (part) => (response.body += part));
        stream.on("error", () => {});
        stream.on("close", () => resolve(response));
        if (body !== "") stream.end(body);
    });

console.log(JSON.stringify(await Promise.all(requests.map(send))));
session.close();
