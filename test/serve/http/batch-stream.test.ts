import { once } from "node:events";
import { request as sendRequest } from "node:http";
import { connect } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Hash } from "../../../src/kernel/hex.ts";
import { serviceLimits } from "../../../src/kernel/limits.ts";
import { Connections } from "../../../src/serve/http/connections.ts";
import { defer } from "../../support/deferred.ts";
import { caseFileOf, explanationOf, hashOf } from "../../support/sample.ts";
import type { openServer } from "../../support/server.ts";
import { hashes, json, linesOf, openBatchServer } from "./batch-server.ts";

/** Listens, and sends a batch to a peer that decides when it reads. */
async function listenForBatches(options: Parameters<typeof openServer>[0] = {}) {
  const server = openBatchServer(options);
  await server.app.listen({ host: "127.0.0.1", port: 0 });
  onTestFinished(() => server.app.server.closeAllConnections());
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

describe("a batch under way", () => {
  it("is sent line by line, and no more than a few are worked on ahead", async () => {
    const gates = new Map(hashes(100).map((hash) => [hash, defer<void>()]));
    const { post, gathered } = await listenForBatches({
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
    await vi.waitFor(() => expect(gathered.length).toBe(serviceLimits.batchAtOnce + 1));
    for (const gate of gates.values()) gate.resolve();
    let rest = "";
    for await (const chunk of reply) rest += chunk;
    expect(linesOf(rest)).toHaveLength(99);
  });

  it("waits for a peer that reads slowly, and goes on when it reads", async () => {
    const filler = "x".repeat(200_000);
    const explanation = (hash: Hash) => ({ ...explanationOf(hash), summary: filler });
    const { port, gathered } = await listenForBatches({ explanation });
    const socket = connect({ port, host: "127.0.0.1" });
    onTestFinished(() => void socket.destroy());
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
    const { post, gathered, lines } = await listenForBatches({
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
    expect(gathered.length).toBeLessThanOrEqual(serviceLimits.batchAtOnce + 1);
  });

  it("ends well when the service stops: what is worked on is answered, the rest says why", async () => {
    const connections = new Connections();
    const gate = defer<void>();
    const { post, gathered } = await listenForBatches({
      connections,
      gather: async (hash) => {
        if (hash !== hashOf(1)) await gate.promise;
        return caseFileOf(hash);
      },
    });
    const [reply] = await once(post(hashes(50)), "response");
    let body = String((await once(reply, "data"))[0]);
    const begun = await vi.waitFor(() => {
      expect(gathered.length).toBe(serviceLimits.batchAtOnce + 1);
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
    const { post, explainer } = await listenForBatches();
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
