import { describe, expect, it } from "vitest";
import { hashOf } from "../../support/sample.ts";
import { openServer } from "../../support/server.ts";

const page = "https://app.example";

/** The CORS headers for a page of this origin: with an answer, with a failure, and in the preflight response. */
async function ask(corsOrigins: string[], origin: string) {
  const { app } = openServer({ corsOrigins });
  const headers = { origin, "content-type": "application/json" };
  const send = (payload: string) => app.inject({ method: "POST", url: "/explain", headers, payload });
  const answer = await send(JSON.stringify({ tx_hash: hashOf(1) }));
  const remembered = await send(JSON.stringify({ tx_hash: hashOf(1) }));
  const held = { ...headers, "if-none-match": String(answer.headers.etag) };
  const unchanged = await app.inject({
    method: "POST",
    url: "/explain",
    headers: held,
    payload: { tx_hash: hashOf(1) },
  });
  const failure = await send("{}");
  const before = await app.inject({ method: "OPTIONS", url: "/explain", headers: { origin } });
  expect([answer, unchanged, failure, before].map(({ statusCode }) => statusCode)).toEqual([200, 304, 400, 204]);
  const responses = [answer, remembered, unchanged, failure, before];
  const allowed = new Set(responses.map((response) => response.headers["access-control-allow-origin"]));
  expect(allowed.size).toBe(1);
  return { allowed: [...allowed][0], answer: answer.headers, before: before.headers, app };
}

describe("pages of other origins and /explain", () => {
  it("may not read it by default", async () => {
    const { allowed, before } = await ask([], page);
    expect([allowed, before["access-control-allow-headers"]]).toEqual([undefined, undefined]);
  });

  it("may when their origin is listed, and caches tell origins apart", async () => {
    const { allowed, answer, before } = await ask([page], page);
    expect([allowed, answer.vary]).toEqual([page, "Origin"]);
    expect(answer["access-control-expose-headers"]).toContain("ETag");
    expect(before).toMatchObject({
      "access-control-allow-methods": "POST, OPTIONS",
      "access-control-allow-headers": expect.stringContaining("Content-Type"),
    });
  });

  it("may not when another origin is listed", async () => {
    const { allowed, answer, before } = await ask([page], "https://app.example.evil");
    expect([allowed, answer.vary, before["access-control-allow-headers"]]).toEqual([undefined, "Origin", undefined]);
  });

  it("may all with *, and other paths stay closed", async () => {
    const { allowed, app } = await ask(["*"], page);
    expect(allowed).toBe("*");
    const health = await app.inject({ url: "/healthz", headers: { origin: page } });
    expect(health.headers["access-control-allow-origin"]).toBeUndefined();
    const before = await app.inject({ method: "OPTIONS", url: "/healthz", headers: { origin: page } });
    expect(before.headers["access-control-allow-origin"]).toBeUndefined();
  });
});
