import { once } from "node:events";
import { request as sendRequest } from "node:http";
import { connect } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { openVisitors } from "../../src/access/quota/visitors.ts";
import { Connections } from "../../src/http/connections.ts";
import { ServiceError } from "../../src/kernel/error.ts";
import type { Hash } from "../../src/kernel/hex.ts";
import { limits } from "../../src/kernel/limits.ts";
import { defer } from "../support/deferred.ts";
import { caseFileOf, explanationOf, hashOf } from "../support/sample.ts";
import { compileSchema } from "../support/schema.ts";
import { openServer } from "../support/server.ts";

const closing: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const hashes = (count: number, from = 1) => Array.from({ length: count }, (_, index) => hashOf(from + index));
const json = { "content-type": "application/json" };

function open(options: Parameters<typeof openServer>[0] = {}) {
  const server = openServer(options);
  closing.push(() => server.app.close());
  const ask = (body: unknown, headers: Record<string, string> = {}) =>
    server.app.inject({ method: "POST", url: "/explain/batch", headers: { ...json, ...headers }, payload: text(body) });
  return { ...server, ask };
}

const text = (body: unknown) => (typeof body === "string" ? body : JSON.stringify(body));

/** The lines of a body, each without its end. */
function linesOf(body: string): string[] {
  expect(body.endsWith("\n")).toBe(true);
  return body.slice(0, -1).split("\n");
}

/** Listens, and sends a batch to a peer that reads when it likes. */
async function listen(options: Parameters<typeof openServer>[0] = {}) {
  const server = open(options);
  await server.app.listen({ host: "127.0.0.1", port: 0 });
  closing.push(() => server.app.server.closeAllConnections());
  const { port } = server.app.server.address() as { port: number };
  const post = (tx_hashes: readonly string[]) => {
    const body = JSON.stringify({ tx_hashes });
    const sent = sendRequest({ port, host: "127.0.0.1", method: "POST", path: "/explain/batch", headers: json });
    sent.on("error", () => {});
    sent.end(body);
    return sent;
  };
  return { ...server, port, post };
}

describe("POST /explain/batch where nothing is charged", () => {
  it("answers in the order of the request, each line the bytes of /explain", async () => {
    const gates = new Map(hashes(3).map((hash) => [hash, defer<void>()]));
    const { ask, app } = open({
      gather: async (hash) => {
        await gates.get(hash)?.promise;
        return caseFileOf(hash);
      },
    });
    const asked = ask({ tx_hashes: hashes(3) });
    for (const hash of hashes(3).reverse()) gates.get(hash)?.resolve();
    const reply = await asked;
    expect(reply.statusCode).toBe(200);
    expect(reply.headers).toMatchObject({ "content-type": "application/x-ndjson; charset=utf-8", "x-ruleset": "r1" });
    const lines = linesOf(reply.body);
    for (const [place, hash] of hashes(3).entries()) {
      const alone = await app.inject({
        ...{ method: "POST", url: "/explain", headers: json, payload: text({ tx_hash: hash }) },
      });
      expect(lines[place]).toBe(alone.body);
    }
  });

  it("puts an error object where there is no answer, with the hash as it was sent", async () => {
    const { ask } = open({
      gather: async (hash) => {
        if (hash === hashOf(2)) throw new ServiceError("transaction_not_found");
        if (hash === hashOf(3)) throw new TypeError("a mistake of ours");
        return caseFileOf(hash);
      },
    });
    const reply = await ask({ tx_hashes: [hashOf(1), hashOf(2), "0x12", hashOf(3), hashOf(4)] });
    const isError = compileSchema("batch-error");
    const isExplanation = compileSchema("explanation");
    const lines = linesOf(reply.body).map((line) => JSON.parse(line));
    expect(lines.map(({ error }) => error)).toEqual([
      undefined,
      "transaction_not_found",
      "invalid_tx_hash",
      "internal",
      undefined,
    ]);
    expect(lines.map(({ tx_hash }) => tx_hash)).toEqual([hashOf(1), hashOf(2), "0x12", hashOf(3), hashOf(4)]);
    for (const line of lines) expect("error" in line ? isError(line) : isExplanation(line)).toBe(true);
  });

  it("answers a hash that comes twice twice, and gathers it once", async () => {
    const { ask, gathered } = open();
    const twice = [hashOf(1), hashOf(0xab), hashOf(1), hashOf(0xab).toUpperCase().replace("0X", "0x")];
    const lines = linesOf((await ask({ tx_hashes: twice })).body);
    expect(lines[2]).toBe(lines[0]);
    expect(lines[3]).toBe(lines[1]);
    expect(gathered).toEqual([hashOf(1), hashOf(0xab)]);
  });

  it.each<[string, unknown, number, string]>([
    ["an empty list", { tx_hashes: [] }, 400, "invalid_batch"],
    ["101 hashes", { tx_hashes: hashes(101) }, 400, "invalid_batch"],
    ["no list", { tx_hashes: hashOf(1) }, 400, "invalid_batch"],
    ["a number in it", { tx_hashes: [1] }, 400, "invalid_batch"],
    ["nothing", {}, 400, "invalid_batch"],
    ["another field", { tx_hashes: hashes(1), evidence: 1 }, 400, "invalid_request"],
    ["no JSON", "{", 400, "invalid_json"],
    ["no body", "", 400, "invalid_json"],
    ["too long a body", { tx_hashes: ["x".repeat(20_000)] }, 413, "body_too_large"],
  ])("refuses %s as a whole", async (_name, body, status, code) => {
    const { ask, gathered } = open();
    const reply = await ask(body);
    expect([reply.statusCode, reply.json().error]).toEqual([status, code]);
    expect(gathered).toEqual([]);
    // What the schema of the request says is what the server does.
    if (status === 400 && typeof body === "object") expect(compileSchema("batch-request")(body)).toBe(false);
  });

  it("takes a hundred hashes, and says what it answers with", async () => {
    const { ask, app } = open({ corsOrigins: ["https://app.example"] });
    expect(compileSchema("batch-request")({ tx_hashes: hashes(100) })).toBe(true);
    expect(linesOf((await ask({ tx_hashes: hashes(100) })).body)).toHaveLength(100);
    for (const accept of ["application/x-ndjson", "application/json", "*/*"])
      expect((await ask({ tx_hashes: hashes(1) }, { accept })).statusCode).toBe(200);
    expect((await ask({ tx_hashes: hashes(1) }, { accept: "text/html" })).json().error).toBe("not_acceptable");
    expect((await app.inject({ method: "GET", url: "/explain/batch" })).statusCode).toBe(405);
    const origin = { origin: "https://app.example", "access-control-request-method": "POST" };
    const preflight = await app.inject({ method: "OPTIONS", url: "/explain/batch", headers: origin });
    expect(preflight.headers["access-control-allow-origin"]).toBe("https://app.example");
  });

  it("counts each line that is gathered or fails against the rates of its client", async () => {
    const settings = { rateLimitPerMinute: 3, openCallsPerMinute: 6, trustProxy: [] };
    const { ask, gathered } = open({
      visitors: openVisitors(settings, () => 1_700_000_000_000),
      gather: async (hash) => {
        if (hash > hashOf(2)) throw new ServiceError("transaction_not_found");
        return { ...caseFileOf(hash), block: { number: "0x1", timestamp: "0x1" } as const };
      },
    });
    const codes = async (...numbers: number[]) => {
      const reply = await ask({ tx_hashes: numbers.map(hashOf) });
      return reply.statusCode === 200 ? linesOf(reply.body).map((line) => JSON.parse(line).error) : reply.json().error;
    };
    expect(await codes(1, 2, 3, 4)).toEqual([undefined, undefined, "transaction_not_found", "transaction_not_found"]);
    // Two of six are left to gather, and one failure; what is remembered is told.
    const later = await codes(1, 5, 6, 7, 2);
    expect(later[0]).toBeUndefined();
    expect(later.slice(1, 4)).toContain("rate_limited");
    expect(gathered.length).toBeLessThanOrEqual(6);
    expect(await codes(8)).toBe("rate_limited");
  });

  it("counts what came of each line, and logs the batch once", async () => {
    const { ask, app, lines } = open({
      gather: async (hash) => {
        if (hash === hashOf(2)) throw new ServiceError("transaction_not_found");
        return caseFileOf(hash);
      },
    });
    await ask({ tx_hashes: [hashOf(1), hashOf(2), hashOf(1)] });
    const health = (await app.inject({ url: "/healthz" })).json();
    expect(health.explanations).toMatchObject({ success: 1, transaction_not_found: 1 });
    expect(lines.filter(({ event }) => event === "batch")).toMatchObject([{ lines: 3, told: 3 }]);
  });
});

describe("a batch under way", () => {
  it("is sent line by line, and no more than a few are worked on ahead", async () => {
    const gates = new Map(hashes(100).map((hash) => [hash, defer<void>()]));
    const { post, gathered } = await listen({
      gather: async (hash) => {
        await gates.get(hash)?.promise;
        return caseFileOf(hash);
      },
    });
    const [reply] = await once(
      post(hashes(100)).on("socket", () => gates.get(hashOf(1))?.resolve()),
      "response",
    );
    const [first] = await once(reply, "data");
    expect(JSON.parse(String(first))).toMatchObject({ tx_hash: hashOf(1) });
    await vi.waitFor(() => expect(gathered.length).toBe(limits.batchAtOnce + 1));
    for (const gate of gates.values()) gate.resolve();
    let rest = "";
    for await (const chunk of reply) rest += chunk;
    expect(linesOf(rest)).toHaveLength(99);
  });

  it("waits for a peer that reads slowly, and goes on when it reads", async () => {
    const filler = "x".repeat(200_000);
    const explanation = (hash: Hash) => ({ ...explanationOf(hash), summary: filler });
    const { port, gathered } = await listen({ explanation });
    const socket = connect({ port, host: "127.0.0.1" });
    closing.push(() => socket.destroy());
    const body = JSON.stringify({ tx_hashes: hashes(100) });
    socket.pause();
    socket.write(
      `POST /explain/batch HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    // 20 MB fit into no buffer between the two.
    let seen = -1;
    await vi.waitFor(
      () => {
        const before = seen;
        seen = gathered.length;
        expect(seen).toBeGreaterThan(0);
        expect(seen).toBe(before);
      },
      { interval: 100 },
    );
    expect(gathered.length).toBeLessThan(100);
    let heard = 0;
    socket.on("data", (chunk) => {
      heard += chunk.length;
    });
    socket.resume();
    await once(socket, "end");
    expect(gathered).toHaveLength(100);
    expect(heard).toBeGreaterThan(100 * filler.length);
  });

  it("is given up when the client leaves: nothing more is begun", async () => {
    const gate = defer<void>();
    const { post, gathered, lines } = await listen({
      gather: async (hash) => {
        if (hash !== hashOf(1)) await gate.promise;
        return caseFileOf(hash);
      },
    });
    const sent = post(hashes(50));
    const [reply] = await once(sent, "response");
    await once(reply, "data");
    sent.destroy();
    await vi.waitFor(() => expect(lines.filter(({ event }) => event === "batch")).toMatchObject([{ told: 1 }]));
    gate.resolve();
    expect(gathered.length).toBeLessThanOrEqual(limits.batchAtOnce + 1);
  });

  it("ends well when the service stops: what is worked on is answered, the rest says why", async () => {
    const connections = new Connections();
    const gate = defer<void>();
    const { post, gathered } = await listen({
      connections,
      gather: async (hash) => {
        if (hash !== hashOf(1)) await gate.promise;
        return caseFileOf(hash);
      },
    });
    const [reply] = await once(post(hashes(50)), "response");
    let body = String((await once(reply, "data"))[0]);
    const begun = await vi.waitFor(() => {
      expect(gathered.length).toBe(limits.batchAtOnce + 1);
      return gathered.length;
    });
    connections.drain();
    gate.resolve();
    for await (const chunk of reply) body += chunk;
    const codes = linesOf(body).map((line) => JSON.parse(line).error);
    expect(codes).toEqual([...Array(begun).fill(undefined), ...Array(50 - begun).fill("restarting")]);
    expect(gathered).toHaveLength(begun);
  });

  it("names the lines that rest on recordings at the end", async () => {
    const { post, explainer } = await listen();
    const explain = explainer.explain;
    explainer.explain = async (hash, signal) => {
      const answer = await explain(hash, signal);
      return hash === hashOf(2) ? { ...answer, source: "recording" } : answer;
    };
    const [reply] = await once(post(hashes(3)), "response");
    expect(reply.headers.trailer).toBe("x-txgloss-recorded-lines");
    reply.resume();
    await once(reply, "end");
    expect(reply.trailers["x-txgloss-recorded-lines"]).toBe("2");
  });
});
