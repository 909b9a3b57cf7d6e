import type { FastifyInstance } from "fastify";
import { afterAll, describe, expect, it } from "vitest";
import { readPastedHash } from "../../../src/kernel/hex.ts";
import { acceptsType, prefersJson } from "../../../src/serve/http/accept.ts";
import { exampleLinks } from "../../../src/serve/http/routes/pages.ts";
import { openWebServer } from "../../support/web-server.ts";

const app: FastifyInstance = openWebServer();
afterAll(() => app.close());

const hash = exampleLinks[0]?.hash as string;
const browsers = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
const get = (url: string, accept = browsers) => app.inject({ url, headers: { accept } });

describe("pages", () => {
  it("explain what people paste", async () => {
    const pasted = [hash, ` ${hash.toUpperCase()} `, `https://explorer.example/tx/${hash}#eventlog`, hash.slice(2)];
    for (const text of pasted) {
      const { statusCode, headers } = await get(`/tx?q=${encodeURIComponent(text)}`);
      expect([statusCode, headers.location]).toEqual([303, `/tx/${hash}`]);
      expect((await get(`/tx/${encodeURIComponent(text)}`)).body).toContain("<h1>");
    }
    const wrong = await get("/tx?q=%3Cb%3Ehello");
    expect([wrong.statusCode, wrong.headers["content-type"]]).toEqual([400, "text/html; charset=utf-8"]);
    expect(wrong.body).toContain('value="&lt;b&gt;hello"');
  });

  it("give the page, or the answer to a client that asks for JSON", async () => {
    const page = await get(`/tx/${hash}`);
    expect([page.statusCode, page.headers["content-type"], page.headers.vary]).toEqual([
      200,
      "text/html; charset=utf-8",
      "Accept",
    ]);
    const payload = JSON.stringify({ tx_hash: hash });
    const explained = await app.inject({
      method: "POST",
      url: "/explain",
      payload,
      headers: { "content-type": "application/json" },
    });
    for (const answer of [await get(`/tx/${hash}`, "application/json"), await get(`/tx/${hash}.json`, "*/*")]) {
      expect([answer.statusCode, answer.headers["content-type"]]).toEqual([200, "application/json; charset=utf-8"]);
      expect(answer.body).toBe(explained.body);
    }
    const again = await app.inject({
      url: `/tx/${hash}`,
      headers: { accept: browsers, "if-none-match": page.headers.etag as string },
    });
    expect([again.statusCode, again.body]).toEqual([304, ""]);
  });

  it("give the drawing as an image without anything that runs", async () => {
    const { statusCode, headers, body } = await get(`/tx/${hash}.svg`, "image/avif,image/svg+xml,*/*;q=0.8");
    expect([statusCode, headers["content-type"]]).toEqual([200, "image/svg+xml; charset=utf-8"]);
    expect(headers["content-security-policy"]).toBe("default-src 'none'; style-src 'unsafe-inline'");
    expect(body).toMatch(/^<svg xmlns=/);
  });

  it("do not exist if the hash has another ending", async () => {
    for (const ending of ["png", "html", "Txt", "svg.json", "png.svg"]) {
      const page = await get(`/tx/${hash}.${ending}`);
      const told = ending.includes(".") ? page.json().error : "not_found";
      expect([ending, page.statusCode, told]).toEqual([ending, 404, "not_found"]);
      const forPrograms = await get(`/tx/${hash}.${ending}`, "application/json, */*");
      expect([forPrograms.statusCode, forPrograms.json().error]).toEqual([404, "not_found"]);
    }
    const { body } = await get(`/tx/${hash}.png`);
    expect(body).toContain("The address leads nowhere.");
    expect(body).toContain(`value="${hash}"`);
    // The end of a sentence is no ending.
    expect((await get(`/tx/${hash}.`)).statusCode).toBe(200);
  });

  it("allow nothing but own styles and images", async () => {
    const policy =
      "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
    for (const path of ["/", `/tx/${hash}`, "/tx/foo", "/protocols", "/protocols/morpho"]) {
      const { headers, body } = await get(path);
      expect([path, headers["content-security-policy"]]).toEqual([path, policy]);
      expect([headers["referrer-policy"], headers["x-content-type-options"]]).toEqual(["no-referrer", "nosniff"]);
      expect(body).not.toMatch(/<script|style=/);
    }
  });

  it("have examples that there are", async () => {
    const { body } = await get("/");
    for (const { hash: example } of exampleLinks) {
      expect(body).toContain(`href="/tx/${example}"`);
      expect((await get(`/tx/${example}`)).statusCode).toBe(200);
    }
  });

  it("tell what the rules know", async () => {
    const list = (await get("/protocols")).body;
    expect(list).toContain('<a href="/protocols/morpho">Morpho</a>');
    const { body } = await get("/protocols/morpho");
    expect(body).toContain("borrow {amount} from {protocol}");
    expect(body).toContain("0xBBBBBbbBBb9cC5e90e3b3Af64bdAF62C37EEFFCb");
    const unknown = await get("/protocols/nope");
    expect([unknown.statusCode, unknown.body.includes("no protocol of this name")]).toEqual([404, true]);
  });

  it("show failures as pages, with the status that programs get", async () => {
    const unknown = await get(`/tx/0x${"0".repeat(64)}`);
    expect([unknown.statusCode, unknown.headers["content-type"]]).toEqual([404, "text/html; charset=utf-8"]);
    expect(unknown.body).toContain("Nobody knows this transaction");
    const asJson = await get(`/tx/0x${"0".repeat(64)}`, "application/json");
    expect([asJson.statusCode, asJson.json().error]).toEqual([404, "transaction_not_found"]);
    expect((await get("/tx/foo")).body).toContain("That is no transaction hash");
    expect((await get(`/tx/${hash}`, "image/png")).statusCode).toBe(406);
  });

  it("show browsers that a path is not there, and tell programs as before", async () => {
    const lost = await get("/nothing/here");
    expect([lost.statusCode, lost.headers["content-type"], lost.headers.vary]).toEqual([
      ...[404, "text/html; charset=utf-8", "Accept"],
    ]);
    expect(lost.headers["content-security-policy"]).toContain("default-src 'none'");
    expect(lost.body).toContain("<h1>There is no such page</h1>");
    expect((await get(`/transactions/${hash}`)).body).toContain(`value="${hash}"`);
    const other = await get("/explain");
    expect([other.statusCode, other.headers.allow, other.body.includes("This path answers POST, OPTIONS.")]).toEqual([
      ...[405, "POST, OPTIONS", true],
    ]);
    expect((await get("/%c0")).body).toContain("<h1>There is no such page</h1>");
    for (const accept of ["*/*", "application/json", "text/html;q=0.1, application/json"]) {
      const { statusCode, headers, body } = await get("/nothing/here", accept);
      expect([statusCode, headers["content-type"]]).toEqual([404, "application/json; charset=utf-8"]);
      expect(JSON.parse(body)).toEqual({ error: "not_found", message: "There is no such path.", retryable: false });
    }
    expect((await app.inject({ url: "/nothing/here" })).json().error).toBe("not_found");
  });

  it("keep crawlers away from transactions", async () => {
    expect((await get("/robots.txt")).body).toBe("User-agent: *\nDisallow: /tx/\nDisallow: /tx?\n");
    expect((await get(`/tx/${hash}`)).body).toContain('<meta name="robots" content="noindex">');
  });

  it("list the operations of the API, and bring the program that shows them", async () => {
    const { headers, body } = await get("/docs");
    expect(headers["content-security-policy"]).toContain("script-src 'self'");
    expect(body).toContain("POST /explain");
    for (const [, path] of body.matchAll(/<(?:script src|link rel="stylesheet" href)="([^"]+)"/g))
      expect([path, (await get(path as string)).statusCode]).toEqual([path, 200]);
  });

  it("are switched off by WEB=off", async () => {
    const without = openWebServer({ web: false });
    for (const url of ["/", "/docs", "/nothing/here", "/protocols", "/robots.txt", `/tx/${hash}`])
      expect((await without.inject({ url, headers: { accept: browsers } })).json().error).toBe("not_found");
    const form = await without.inject({ url: "/preview", headers: { accept: browsers } });
    expect([form.statusCode, form.json().error]).toEqual([405, "method_not_allowed"]);
    await without.close();
  });
});

describe("what is asked for", () => {
  it.each([
    [undefined, false],
    ["*/*", false],
    [browsers, false],
    ["application/json", true],
    ["application/json, text/plain, */*", true],
    ["text/html;q=0.5, application/json", true],
    ["text/html, application/json;q=0.9", false],
    ["text/html, application/json", false],
  ])("by Accept: %s is JSON: %s", (header, json) => {
    expect(prefersJson(header)).toBe(json);
  });

  it("may be any type", () => {
    const takes = acceptsType("image/svg+xml");
    expect([takes(undefined), takes("image/*"), takes("image/svg+xml;q=0"), takes("text/html")]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it("is one hash, or none", () => {
    const other = `0x${"b".repeat(64)}`;
    expect(readPastedHash(`${hash} ${hash}`)).toBe(hash);
    expect(readPastedHash(`${hash} ${other}`)).toBeUndefined();
    expect(readPastedHash(`${hash}00`)).toBeUndefined();
    expect(readPastedHash("0x1234")).toBeUndefined();
    expect(readPastedHash(`${" ".repeat(2_000)}${hash}`)).toBeUndefined();
  });
});
