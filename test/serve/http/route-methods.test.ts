import Fastify from "fastify";
import { describe, expect, it } from "vitest";
import { paramCharsMax, recordMethods } from "../../../src/serve/http/server.ts";
import { openServer } from "../../support/server.ts";

describe("the methods of a path", () => {
  const app = Fastify();
  const methodsOf = recordMethods(app);
  app.get("/tx/:hash", () => "");
  app.post("/tx/:hash.json", () => "");
  app.put("/tx/:hash/evidence", () => "");
  app.post("/a.b", () => "");

  it.each([
    ["/tx/0x1", ["GET", "HEAD"]],
    ["/tx/", ["GET", "HEAD"]],
    ["/tx/0x1.json", ["GET", "HEAD", "POST"]],
    ["/tx/0x1/evidence", ["PUT"]],
    ["/tx/0x1/other", []],
    ["/tx/0x1/evidence/", []],
    ["/a.b", ["POST"]],
    ["/aXb", []],
    ["/", []],
    [`/tx/${"x".repeat(paramCharsMax)}`, ["GET", "HEAD"]],
    [`/tx/${"x".repeat(paramCharsMax + 1)}`, []],
  ])("are those of every route that takes %s", (path, methods) => {
    expect(methodsOf(path)).toEqual(methods);
  });
});

describe("a path with a hash in it", () => {
  const url = "/tx/0x1/evidence";

  it("answers another method with 405, and OPTIONS with what it takes", async () => {
    const { app } = openServer();
    const wrong = await app.inject({ method: "POST", url: `${url}?a=/` });
    expect([wrong.statusCode, wrong.json().error]).toEqual([405, "method_not_allowed"]);
    expect(wrong.headers.allow).toBe("GET, HEAD, OPTIONS");
    const asked = await app.inject({ method: "OPTIONS", url });
    expect([asked.statusCode, asked.headers.allow]).toEqual([204, "GET, HEAD, OPTIONS"]);
    expect((await app.inject({ method: "POST", url: "/tx/0x1/nothing" })).statusCode).toBe(404);
  });
});
