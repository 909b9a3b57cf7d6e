import { describe, expect, it } from "vitest";
import { ServiceError } from "../../../src/kernel/error.ts";
import { openVisitors } from "../../../src/serve/access/quota/visitors.ts";
import { defer } from "../../support/deferred.ts";
import { caseFileOf, hashOf } from "../../support/sample.ts";
import { compileSchema } from "../../support/schema.ts";
import { hashes, json, linesOf, openBatchServer, text } from "./batch-server.ts";

describe("POST /explain/batch where nothing is charged", () => {
  it("answers in the order of the request, each line the bytes of /explain", async () => {
    const gates = new Map(hashes(3).map((hash) => [hash, defer<void>()]));
    const { ask, app } = openBatchServer({
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
    const { ask } = openBatchServer({
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
    const { ask, gathered } = openBatchServer();
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
    const { ask, gathered } = openBatchServer();
    const reply = await ask(body);
    expect([reply.statusCode, reply.json().error]).toEqual([status, code]);
    expect(gathered).toEqual([]);
    // The server accepts exactly what the schema of the request allows.
    if (status === 400 && typeof body === "object") expect(compileSchema("batch-request")(body)).toBe(false);
  });

  it("takes a hundred hashes, and says what it answers with", async () => {
    const { ask, app } = openBatchServer({ corsOrigins: ["https://app.example"] });
    expect(compileSchema("batch-request")({ tx_hashes: hashes(100) })).toBe(true);
    expect(linesOf((await ask({ tx_hashes: hashes(100) })).body)).toHaveLength(100);
    for (const accept of ["application/x-ndjson", "application/json", "*/*", "text/html"])
      expect((await ask({ tx_hashes: hashes(1) }, { accept })).statusCode).toBe(200);
    expect((await app.inject({ method: "GET", url: "/explain/batch" })).statusCode).toBe(405);
    const origin = { origin: "https://app.example", "access-control-request-method": "POST" };
    const preflight = await app.inject({ method: "OPTIONS", url: "/explain/batch", headers: origin });
    expect(preflight.headers["access-control-allow-origin"]).toBe("https://app.example");
  });

  it("counts each line that is gathered or fails against the rates of its client", async () => {
    const settings = { rateLimitPerMinute: 4, openCallsPerMinute: 6, trustProxy: [] };
    const { ask, gathered } = openBatchServer({
      visitors: openVisitors(settings, () => 1_700_000_000_000),
      gather: async (hash) => {
        if (hash > hashOf(2)) throw new ServiceError("transaction_not_found");
        return { ...caseFileOf(hash), block: { number: "0x1", timestamp: "0x1" } as const };
      },
    });
    const codes = async (...numbers: number[]) => {
      const reply = await ask({ tx_hashes: numbers.map(hashOf) });
      return linesOf(reply.body).map((line) => JSON.parse(line).error);
    };
    expect(await codes(1, 2, 3, 4)).toEqual([undefined, undefined, "transaction_not_found", "transaction_not_found"]);
    // Two of the six allowed gatherings are left, and two failures. Remembered answers are still told.
    const later = await codes(1, 5, 6, 7, 2);
    expect(later[0]).toBeUndefined();
    expect(later.slice(1, 4)).toContain("rate_limited");
    expect(gathered.length).toBeLessThanOrEqual(6);
    expect(await codes(8)).toEqual(["rate_limited"]);
  });

  it("counts what came of each line, and logs the batch once", async () => {
    const { ask, app, lines } = openBatchServer({
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
