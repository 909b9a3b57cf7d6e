import { EventEmitter } from "node:events";
import Fastify from "fastify";
import { describe, expect, it } from "vitest";
import { serviceLimits } from "../../../src/kernel/limits.ts";
import { addBatchRoute } from "../../../src/serve/http/batch/batch-route.ts";
import { sendLines } from "../../../src/serve/http/batch/line-stream.ts";
import { Connections } from "../../../src/serve/http/connections.ts";
import type { BatchLine, BatchRequest } from "../../../src/serve/service/batch/batch-request.ts";
import { allowPages } from "../../../src/serve/service/cors.ts";
import { hashOf } from "../../support/sample.ts";

/** A peer for which a test says when it has room and when it leaves. */
function peer({ room = true } = {}) {
  const done: unknown[] = [];
  const raw = Object.assign(new EventEmitter(), {
    ...{ destroyed: false, headersSent: false },
    writeHead(status: number, headers: object) {
      raw.headersSent = true;
      done.push([status, headers]);
    },
    write(bytes: Buffer) {
      done.push(bytes.toString());
      return room;
    },
    addTrailers: (trailers: unknown) => done.push(trailers),
    end: () => done.push("end"),
    destroy() {
      raw.destroyed = true;
      done.push("destroyed");
    },
  });
  const reply = { raw, hijack: () => done.push("hijacked") };
  const send = (lines: AsyncIterable<{ body: string }>) =>
    sendLines(reply as never, lines, { headers: { "x-a": "1" }, trailers: { "x-t": () => "2", "x-u": () => "3" } });
  return { raw, done, send };
}

async function* linesOf(...bodies: string[]) {
  for (const body of bodies) yield { body };
}

const head = [200, { "x-a": "1", trailer: "x-t, x-u" }];
const trailers = [
  ["x-t", "2"],
  ["x-u", "3"],
];
const soon = () => new Promise((resolve) => setImmediate(resolve));

describe("lines", () => {
  it("are sent after one head, each with its end, then what is only known at the end", async () => {
    const { send, done } = peer();
    await send(linesOf("a", "b"));
    expect(done).toEqual(["hijacked", head, "a\n", "b\n", trailers, "end"]);
  });

  it.each(["drain", "close"])("wait for a peer without room until %s", async (event) => {
    const { send, done, raw } = peer({ room: false });
    const sent = send(linesOf("a", "b"));
    await soon();
    expect(done).toEqual(["hijacked", head, "a\n"]);
    raw.destroyed = event === "close";
    raw.emit(event);
    await soon();
    expect([raw.listenerCount("drain"), raw.listenerCount("close")]).toEqual(event === "close" ? [0, 0] : [1, 1]);
    raw.emit("drain");
    await sent;
    const rest = event === "close" ? [] : ["b\n", trailers, "end"];
    expect(done.slice(3)).toEqual(rest);
    expect([raw.listenerCount("drain"), raw.listenerCount("close")]).toEqual([0, 0]);
  });

  it("are told when the peer has gone", async () => {
    const { send, done, raw } = peer({ room: false });
    let ended = false;
    async function* lines() {
      try {
        yield { body: "a" };
        yield { body: "b" };
      } finally {
        ended = true;
      }
    }
    raw.write = (bytes: Buffer) => {
      raw.destroyed = true;
      done.push(bytes.toString());
      return false;
    };
    await send(lines());
    expect([done, ended]).toEqual([["hijacked", head, "a\n"], true]);
  });

  it("that end when the peer has gone are not ended again", async () => {
    const { send, done, raw } = peer();
    raw.destroyed = true;
    await send(linesOf());
    expect(done).toEqual(["hijacked"]);
  });

  it("cut the response off where making one fails", async () => {
    const { send, done } = peer();
    async function* lines() {
      yield { body: "a" };
      throw new Error("broken");
    }
    await expect(send(lines())).rejects.toThrow("broken");
    expect(done.at(-1)).toBe("destroyed");
  });
});

describe("a batch", () => {
  const quota = { free: { limit: 50, remaining: 49, resetSeconds: 60 } };
  const receipt = { success: true };

  /** The outcome of a batch is given. `asked` holds the questions to the service. */
  function open(outcome: object, connections = new Connections()) {
    const asked: BatchRequest[] = [];
    const service = {
      askBatch: async (request: BatchRequest) => {
        asked.push(request);
        return outcome;
      },
      fail: async () => outcome,
    };
    const app = Fastify();
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => done(null, body));
    const pages = allowPages(["https://a.example"]);
    addBatchRoute(app, { service: service as never, ruleset: "r1", pages, connections });
    const post = (payload: string, headers: Record<string, string> = {}) => {
      const type = { "content-type": "application/json" };
      return app.inject({ method: "POST", url: "/explain/batch", headers: { ...type, ...headers }, payload });
    };
    return { post, asked };
  }

  async function* told(): AsyncGenerator<BatchLine, void, undefined> {
    yield { body: Buffer.from('{"a":1}'), source: "recording" };
    yield { body: "{}", source: "network" };
    yield { body: "{}" };
    yield { body: "{}", source: "recording" };
  }

  it("that is paid for tells its receipt, what it pays for, and what is left of that at the end", async () => {
    const stream = { kind: "stream", lines: told(), quota, credit: { receipt, left: 100 }, creditLeft: () => 96 };
    const response = await open(stream).post("{}", { origin: "https://a.example" });
    expect([response.statusCode, response.body]).toEqual([200, '{"a":1}\n{}\n{}\n{}\n']);
    expect(response.headers).toMatchObject({
      ...{ vary: "Origin", "access-control-allow-origin": "https://a.example", "x-ruleset": "r1" },
      ...{ "content-type": "application/x-ndjson; charset=utf-8", "cache-control": "no-store" },
      ...{ "ratelimit-policy": '"free";q=50;w=86400', ratelimit: '"free";r=49;t=60' },
      ...{ "payment-response": Buffer.from(JSON.stringify(receipt)).toString("base64"), "x-svc-credit": "100" },
      trailer: "x-txgloss-recorded-lines, x-svc-credit-left",
    });
    expect(Object.values(response.trailers).map(String)).toEqual([
      ...["x-txgloss-recorded-lines,1 4", "x-svc-credit-left,96"],
    ]);
  });

  it("that is free tells none of it", async () => {
    const stream = { kind: "stream", lines: told(), quota: undefined, credit: null, creditLeft: () => null };
    const { headers, trailers: ends } = await open(stream).post("{}");
    expect(headers.trailer).toBe("x-txgloss-recorded-lines");
    expect(Object.keys(headers).filter((name) => /ratelimit|payment|credit/.test(name))).toEqual([]);
    expect(Object.values(ends).map(String)).toEqual(["x-txgloss-recorded-lines,1 4"]);
  });

  it("that fails has the ruleset, and one that is to be paid has not", async () => {
    const failure = { status: 400, body: { error: "invalid_batch", message: "M.", retryable: false } };
    const failed = await open({ kind: "failed", failure, quota: undefined }).post("{}");
    expect([failed.statusCode, failed.headers["x-ruleset"], failed.headers.vary]).toEqual([400, "r1", "Origin"]);
    const challenge = { header: "offer", body: "{}", required: {} };
    const priced = await open({ kind: "challenged", challenge, quota }).post("{}");
    expect([priced.statusCode, priced.headers["x-ruleset"]]).toEqual([402, undefined]);
    const long = await open({ kind: "failed", failure, quota }).post("x".repeat(serviceLimits.batchBodyBytesMax + 1));
    expect(long.json().error).toBe("invalid_batch");
  });

  it("is read with its tender where calls are metered; without a body it is a mistake, or asks for the price", async () => {
    const failure = { status: 400, body: { error: "invalid_batch", message: "M.", retryable: false } };
    const connections = new Connections();
    const askedBy = async (payload: string, headers: Record<string, string> = {}) => {
      const { post, asked } = open({ kind: "failed", failure, quota: undefined }, connections);
      await post(payload, headers);
      return asked[0] as BatchRequest;
    };
    const hash = hashOf(1);
    const full = await askedBy(JSON.stringify({ tx_hashes: [hash] }));
    const none = { passToken: undefined, payment: undefined, claim: undefined };
    expect(full).toMatchObject({ transport: "http", product: "batch", resource: "/explain/batch" });
    expect([full.read(false), full.read(true)]).toEqual([{ asked: [{ hash }] }, { asked: [{ hash }], tender: none }]);
    expect((await askedBy("")).read(true)).toMatchObject({ refusal: { code: "invalid_json" } });
    const empty = expect.objectContaining({ code: "invalid_json" });
    const passing = await askedBy("", { "x-svc-pass": "p" });
    expect(() => passing.read(true)).toThrow(empty);
    for (const accept of ["application/x-ndjson", "application/json", "text/html"]) {
      const request = await askedBy("", { accept });
      expect(() => request.read(false)).toThrow(empty);
    }
    expect(full.isStopping()).toBe(false);
    connections.drain();
    expect(full.isStopping()).toBe(true);
  });
});
