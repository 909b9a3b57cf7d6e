import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { previewerOver } from "../../gather/preview/preview-world.ts";
import { findAnvil, startChain, type TestChain } from "../../support/anvil.ts";
import { type MeteredServer, openMeteredServer } from "../../support/metered-server.ts";
import { decode, encode, signPayment } from "../../support/payer.ts";
import { hashOf } from "../../support/sample.ts";

/** What somebody asks before it is signed is known to nobody else. */
describe.skipIf(findAnvil() === undefined)("what was pasted and paid for", { timeout: 60_000 }, () => {
  let chain: TestChain;
  let server: MeteredServer;
  let previewer: ReturnType<typeof previewerOver>;
  let now = Date.now();
  beforeAll(async () => {
    chain = await startChain();
    previewer = previewerOver(chain.url);
    server = await openMeteredServer({
      ...{ rpcUrl: chain.url, gasKey: await chain.createGasKey(), previewer, now: () => now },
      settings: { freeCallsPerDay: 0 },
    });
  });
  afterAll(async () => {
    previewer?.close();
    await server?.close();
    await chain?.stop();
  });

  const secret = "5ec2e7".repeat(6);
  const asked = { from: `0x${"11".repeat(20)}`, to: `0x${"22".repeat(20)}`, value: "0x0", data: `0x${secret}` };
  type Send = (headers: Record<string, string>) => Promise<Response>;
  const sendForm: Send = (headers) =>
    fetch(`${server.url}/preview/page`, {
      ...{ method: "POST", headers: { "content-type": "application/x-www-form-urlencoded", ...headers } },
      body: new URLSearchParams({ request: JSON.stringify(asked), from: "" }).toString(),
    });
  const sendJson: Send = (headers) =>
    fetch(`${server.url}/preview`, {
      ...{ method: "POST", headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(asked) },
    });

  async function buy(send: Send) {
    const account = await chain.createPayer(20_000n);
    const required = decode((await send({})).headers.get("payment-required"));
    const header = { "payment-signature": encode(await signPayment({ required, account })) };
    const reply = await send(header);
    const body = await reply.text();
    expect(reply.status, body).toBe(200);
    const [row] = (await server.parts.ledger.listPayments(100)).filter(
      ({ payer }) => payer === account.address.toLowerCase(),
    );
    const key = String(row?.key);
    const kept = async () => (await server.parts.ledger.findPayment(key))?.answer;
    return { body, kept, again: () => send(header), left: () => chain.balance(account.address) };
  }

  it("is dropped after a day, is made anew for its payment, and is dropped again; a public answer stays", async () => {
    const pasted = [await buy(sendForm), await buy(sendJson)];
    const open = await buy((headers) => server.explain(hashOf(1), headers));
    for (const { body, kept, again } of [...pasted, open]) {
      expect(await kept()).toBe(body);
      expect(await (await again()).text()).toBe(body);
    }
    expect(pasted[0]?.body).toContain(secret);
    for (let day = 1; day <= 2; day++) {
      now += 86_401_000;
      server.access.start();
      await expect.poll(() => Promise.all(pasted.map(({ kept }) => kept()))).toEqual(["", ""]);
      expect(await open.kept()).toBe(open.body);
      for (const { again, kept, left } of pasted) {
        const reply = await again();
        const body = await reply.text();
        expect(reply.status, body).toBe(200);
        expect(await kept()).toBe(body);
        expect(await left()).toBe(0n);
      }
    }
  });
});
