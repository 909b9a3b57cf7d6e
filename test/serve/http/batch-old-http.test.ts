import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, expect, it } from "vitest";
import { hashOf } from "../../support/sample.ts";
import { openServer } from "../../support/server.ts";

const { app } = openServer();
afterAll(() => app.close());

it.each([
  ["1.0", false],
  ["1.1", true],
])("a batch is answered over HTTP/%s, with trailers: %s", async (version, hasTrailers) => {
  if (!app.server.listening) await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as { port: number };
  const body = JSON.stringify({ tx_hashes: [hashOf(1), "x"] });
  const head = `POST /explain/batch HTTP/${version}\r\nHost: localhost\r\nConnection: close\r\n`;
  const socket = connect(port, "127.0.0.1");
  socket.write(`${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  const answer = await text(socket);
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(/^trailer: /im.test(answer)).toBe(hasTrailers);
  const lines = answer.split("\n").filter((line) => line.startsWith("{"));
  expect(lines.map((line) => JSON.parse(line).error)).toEqual([undefined, "invalid_tx_hash"]);
});
