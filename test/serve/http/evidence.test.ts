import { describe, expect, it } from "vitest";
import { evidenceOf, explanationOf, hashOf } from "../../support/sample.ts";
import { openServer } from "../../support/server.ts";

const headers = { "content-type": "application/json" };
const explain = (url: string) =>
  ({ method: "POST", url, headers, payload: JSON.stringify({ tx_hash: hashOf(1) }) }) as const;

describe("evidence", () => {
  it("is given alone, cold and from memory, with a tag", async () => {
    const { app, gathered } = openServer();
    const cold = await app.inject({ url: `/tx/${hashOf(1)}/evidence` });
    const warm = await app.inject({ url: `/tx/${hashOf(1)}/evidence` });
    expect(cold.json()).toEqual({ tx_hash: hashOf(1), ...evidenceOf() });
    expect(warm.body).toBe(cold.body);
    expect(gathered).toEqual([hashOf(1)]);
    const tag = String(warm.headers.etag);
    const held = await app.inject({ url: `/tx/${hashOf(1)}/evidence`, headers: { "if-none-match": tag } });
    expect([held.statusCode, held.body]).toEqual([304, ""]);
  });

  it("stands beside the explanation only where it is asked for", async () => {
    const { app } = openServer();
    const beside = await app.inject(explain("/explain?evidence=1"));
    expect(beside.json()).toEqual({ ...explanationOf(hashOf(1)), evidence: evidenceOf() });
    for (const url of ["/explain", "/explain?evidence=0", "/explain?other=1"])
      expect((await app.inject(explain(url))).body).toBe(JSON.stringify(explanationOf(hashOf(1))));
  });

  it("is refused where the question is unclear", async () => {
    const { app } = openServer();
    expect((await app.inject(explain("/explain?evidence=yes"))).json()).toMatchObject({ error: "invalid_request" });
    expect((await app.inject({ url: "/tx/0x12/evidence" })).json()).toMatchObject({ error: "invalid_tx_hash" });
  });
});
