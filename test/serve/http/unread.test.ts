import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { Connections } from "../../../src/serve/http/connections.ts";
import { defer } from "../../support/deferred.ts";
import { caseFileOf, hashOf } from "../../support/sample.ts";
import { openServer } from "../../support/server.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A server that gives each explanation when the test says so. */
async function listen(deadlines: ConstructorParameters<typeof Connections>[0] = {}) {
  const asked = defer<void>();
  const told = defer<void>();
  const gather = async (hash: string) => {
    asked.resolve();
    await told.promise;
    return caseFileOf(hash as never);
  };
  const { app } = openServer({ connections: new Connections(deadlines), gather });
  await app.listen({ host: "127.0.0.1", port: 0 });
  closing.push(() => app.close());
  const { port } = app.server.address() as { port: number };
  /** Sends these bytes and gives all that comes until the server hangs up, which it does by itself. */
  const send = (...parts: string[]) => {
    const socket = connect({ port, host: "127.0.0.1" });
    let heard = "";
    socket.on("data", (chunk) => {
      heard += chunk;
    });
    for (const part of parts) socket.write(part);
    return { socket, heard: once(socket, "close").then(() => heard) };
  };
  return { app, asked: asked.promise, tell: told.resolve, send };
}

const body = JSON.stringify({ tx_hash: hashOf(1) });
const post = (more = "", host = "Host: x\r\n") =>
  `POST /explain HTTP/1.1\r\n${host}Content-Type: application/json\r\n${more}Content-Length: ${body.length}\r\n\r\n${body}`;
const statuses = (heard: string) => [...heard.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));

describe("bytes that cannot be read, behind a request that is worked on", () => {
  it.each([
    ["bytes after its body", ["}}"], {}, []],
    ["bytes that come again and again", ["}}", "}}", "}}"], {}, []],
    ["a request for a tunnel", ["CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n"], {}, []],
    ["a request that does not end", ["GET / HTTP/1.1\r\nX-A: "], { headers: 50, ending: 50 }, []],
    [
      "a body that cannot be read",
      ["POST /explain HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"],
      {},
      [400],
    ],
  ])("%s: it gets its answer, then the connection ends", async (_name, after, deadlines, then) => {
    const { app, asked, tell, send } = await listen({ deadlines });
    const { socket, heard } = send(post());
    await asked;
    for (const bytes of after) {
      const seen = Promise.race([once(app.server, "clientError"), once(app.server, "connect")]);
      socket.write(bytes);
      await seen;
    }
    tell();
    const text = await heard;
    expect(statuses(text)).toEqual([200, ...then]);
    expect(text).toContain(hashOf(1));
  });
});

describe("what Node.js would answer without a body, or not at all", () => {
  it.each([
    ["no Host header", post("", ""), [400], "unreadable_request"],
    ["a request for a tunnel", "CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n", [400], "unreadable_request"],
    ["an expectation that nobody knows", post("Expect: wonders\r\nConnection: close\r\n"), [200], hashOf(1)],
  ])("%s", async (_name, bytes, status, told) => {
    const { tell, send } = await listen();
    tell();
    const text = await send(bytes).heard;
    expect(statuses(text)).toEqual(status);
    expect(text).toContain(told);
  });

  it("HTTP/1.0 needs no Host header", async () => {
    const { tell, send } = await listen();
    tell();
    expect(statuses(await send(post("", "").replace("HTTP/1.1", "HTTP/1.0")).heard)).toEqual([200]);
  });
});
