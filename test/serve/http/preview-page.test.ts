import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { afterAll, describe, expect, it } from "vitest";
import { recordedDir } from "../../support/recorded-pictures.ts";
import { openWebServer } from "../../support/web-server.ts";
import { me, permit, you } from "./asked-permit.ts";

const app: FastifyInstance = openWebServer();
afterAll(() => app.close());

const browsers = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

const send = (request: unknown, from = "", type = "application/x-www-form-urlencoded") =>
  app.inject({
    ...{ method: "POST", url: "/preview/page", headers: { accept: browsers, "content-type": type } },
    payload: new URLSearchParams({
      request: typeof request === "string" ? request : JSON.stringify(request, null, 2),
      from,
    }).toString(),
  });

/** What was sent, as a wallet writes it before it is sent. */
function walletForm(start: string, more: object = {}) {
  const hash = exampleHashes[start] as string;
  const { transaction } = JSON.parse(readFileSync(join(recordedDir, `${hash}.json`), "utf8"));
  const { from, to, value, input } = transaction;
  return { from, to, value, input, gasPrice: "0x3b9aca00", chainId: "0x2105", type: "0x2", ...more };
}

const exampleHashes: Record<string, string> = {
  swap: "0x1dadb9930dfd8732fe2281435fabf3b32d0a1317b02c4484153e3c9c8e5aa5ce",
  approval: "0x175142237798780d7c2bf8c7f7cf1201e7c1b033f941eb2236e8bcc3a9671e44",
};

describe("the form of previews", () => {
  it("needs no script, and is linked from the first page", async () => {
    const { statusCode, headers, body } = await app.inject({ url: "/preview", headers: { accept: browsers } });
    expect([statusCode, headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(headers["content-security-policy"]).toContain("form-action 'self'");
    expect(body).toContain('<form class="paste" action="/preview/page" method="post"');
    expect(body).not.toMatch(/<script|style=/);
    expect((await app.inject({ url: "/" })).body).toContain('href="/preview"');
    const back = await app.inject({ url: "/preview/page", headers: { accept: browsers } });
    expect([back.statusCode, back.headers.location]).toEqual([303, "/preview"]);
  });

  it("answers a transaction with a dashed picture, what would change and what is not certain", async () => {
    const { statusCode, headers, body } = await send(walletForm("swap"));
    expect([statusCode, headers["content-type"], headers["cache-control"]]).toEqual([
      200,
      "text/html; charset=utf-8",
      "no-store",
    ]);
    expect(body).toMatch(
      /<h1><bdi>In a simulation on block 11621421, <span class="whole">0xA01f…8D8c<\/span> swapped 2,043/,
    );
    expect(body).toContain("<strong>Not happened.</strong>");
    expect(body.match(/<svg class="pic \w+ plan"/g)).toHaveLength(2);
    expect(body).toContain("Who would move what to whom");
    expect(body).toContain("All is drawn dashed: nothing of it has happened.");
    expect(body).toContain("What would change for");
    expect(body).toMatch(/What is not certain<\/h2>.*A simulation is no promise/);
    expect(body).toContain('name="robots" content="noindex"');
    expect(body).toContain("&quot;gasPrice&quot;");
  });

  it("without a simulation tells the calldata alone, and calls nothing a failure", async () => {
    const { body } = await send(walletForm("approval", { nonce: 7 }));
    expect(body).toContain("Nobody could run it");
    expect(body).toMatch(/What it asks for<\/h2><ul><li><bdi>allow .* to spend unlimited USDC/);
    expect(body).toContain("Rights that would stay");
    expect(body).toContain("<strong>Unlimited spending</strong>");
    expect(body).not.toContain("would fail");
    const unknown = (await send(walletForm("swap", { nonce: 7 }))).body;
    expect(unknown).toContain("What would move is not known");
  });

  // PostgreSQL cannot store text with such a character, so this page could not be sold.
  it("shows what no page and no ledger can hold as a replacement", async () => {
    const { statusCode, body } = await send(walletForm("swap"), "\0<");
    expect(statusCode).toBe(200);
    expect(body).toContain('value="\ufffd&lt;"');
    expect(body).not.toContain("\0");
  });

  it("answers typed data, by itself or inside of a request to a wallet", async () => {
    const alone = await send(permit, me);
    const asked = await send({ method: "eth_signTypedData_v4", params: [me, JSON.stringify(permit)] });
    for (const { statusCode, body } of [alone, asked]) {
      expect(statusCode).toBe(200);
      expect(body).toMatch(
        /<h1><bdi><span[^>]*>0x1111…1111<\/span> is asked to let <span[^>]*>0x2222…2222<\/span> spend unlimited USDC/,
      );
      expect(body).toContain("may spend unlimited USDC");
      expect(body).toMatch(/<h2 id="signed">What is signed: <bdi>Permit<\/bdi>/);
      expect(body).toContain("1900000000");
      expect(body.match(/<svg class="pic \w+ plan"/g)).toHaveLength(2);
    }
  });

  it("answers authorizations and user operations", async () => {
    const authorization = await send({ chainId: 8453, address: you, nonce: 3 }, me);
    expect(authorization.body).toMatch(/<h1><bdi><span[^>]*>0x1111…1111<\/span> is asked to /);
    const operation = { sender: me, nonce: "0x0", callData: "0x", initCode: "0x", paymasterAndData: "0x" };
    const limits = { callGasLimit: "0x1", verificationGasLimit: "0x1", preVerificationGas: "0x1" };
    const fees = { maxFeePerGas: "0x1", maxPriorityFeePerGas: "0x1", signature: "0x" };
    const entryPoint = "0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789";
    const { statusCode, body } = await send([{ ...operation, ...limits, ...fees }, entryPoint]);
    expect([statusCode, body.includes("0x1111…1111")]).toEqual([200, true]);
  });

  it("keeps strangers' text from being markup", async () => {
    const evil = `"><script>window.pwned=1</script>`;
    const { types, domain } = permit;
    const strange = {
      ...permit,
      types: { ...types, Permit: [{ name: "note", type: "string" }] },
      message: { note: evil },
    };
    const bodies = [
      await send(`${evil}</textarea>`, evil),
      await send({ [evil]: 1 }, me),
      await send({ ...walletForm("swap"), [evil]: 1 }),
      await send({ ...strange, domain: { ...domain, name: evil } }, me),
    ].map(({ body }) => body);
    for (const body of bodies) {
      expect(body).not.toMatch(/<script/);
      expect(body.match(/<\/textarea>/g)).toHaveLength(1);
    }
    expect(bodies[3]).toContain("&lt;script&gt;window.pwned=1");
  });

  it("says what is wrong in a sentence, with what was pasted", async () => {
    const wrong = await send("hello", "0x12");
    expect([wrong.statusCode, wrong.headers["content-type"]]).toEqual([400, "text/html; charset=utf-8"]);
    expect(wrong.body).toContain("<h1>That cannot be previewed</h1>");
    expect(wrong.body).toContain("This is no JSON.");
    expect(wrong.body).toMatch(/<textarea[^>]*>\nhello<\/textarea>/);
    expect(wrong.body).toContain('value="0x12"');
    const other = await send({ ...permit, domain: { ...permit.domain, chainId: 1 } }, me);
    expect([other.statusCode, other.body.includes("That is for another chain")]).toEqual([400, true]);
    const nobody = await send({ from: me, to: you, value: "0x0" });
    expect([nobody.statusCode, nobody.body.includes("The chain did not answer")]).toEqual([503, true]);
    const long = await send(`{"from":"${me}","to":"${you}","data":"0x${"00".repeat(150_000)}"}`);
    expect([long.statusCode, long.body.includes("That is too long")]).toEqual([413, true]);
  });

  it("takes no other kind of body, and gives programs their own path", async () => {
    expect((await send(walletForm("swap"), "", "application/json")).statusCode).toBe(415);
    expect((await send(walletForm("swap"), "", "text/plain")).statusCode).toBe(415);
    const elsewhere = await app.inject({
      ...{ method: "POST", url: "/explain", payload: "tx_hash=1" },
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    expect([elsewhere.statusCode, elsewhere.json().error]).toEqual([415, "unsupported_media_type"]);
  });
});
