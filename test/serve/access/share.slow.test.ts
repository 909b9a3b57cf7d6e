import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findAnvil, startChain, type TestChain } from "../../support/anvil.ts";
import { openMeteredServer } from "../../support/metered-server.ts";
import { payingFetch } from "../../support/payer.ts";
import { findPostgres, startPostgres, type TestPostgres } from "../../support/postgres.ts";
import { hashOf } from "../../support/sample.ts";

const settings = { passCalls: 100 };

async function request(url: string, headers: Record<string, string>): Promise<number> {
  const reply = await fetch(`${url}/explain`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ tx_hash: hashOf(1) }),
  });
  await reply.arrayBuffer();
  return reply.status;
}

/** Sends 200 requests at once, in turn to each server. Gives how many were accepted. */
async function rush(urls: readonly string[], headers: Record<string, string> = {}): Promise<number> {
  const statuses = await Promise.all(
    Array.from({ length: 200 }, (_, index) => request(urls[index % urls.length] as string, headers)),
  );
  expect(new Set(statuses)).toEqual(new Set([200, 402]));
  return statuses.filter((status) => status === 200).length;
}

describe.skipIf(findAnvil() === undefined)("200 at once", { timeout: 60_000 }, () => {
  let chain: TestChain;
  let gasKey: `0x${string}`;
  beforeAll(async () => {
    chain = await startChain();
    gasKey = await chain.createGasKey();
  });
  afterAll(() => chain?.stop());

  async function buy(url: string): Promise<string> {
    const payer = await chain.createPayer(20_000_000n);
    const bought = await payingFetch(payer, { raised: true })(`${url}/pass`, { method: "POST" });
    return ((await bought.json()) as { pass_token: string }).pass_token;
  }

  it("on one process with SQLite: exactly 50 free, exactly 100 on a pass", async () => {
    const server = await openMeteredServer({ rpcUrl: chain.url, gasKey, settings });
    expect(await rush([server.url])).toBe(50);
    expect(await rush([server.url], { "x-svc-pass": await buy(server.url) })).toBe(100);
    await server.close();
  });

  describe.skipIf(findPostgres() === undefined)("on two processes with PostgreSQL", () => {
    let postgres: TestPostgres;
    const children: ChildProcess[] = [];
    const urls: string[] = [];
    beforeAll(async () => {
      postgres = await startPostgres();
      const ledger = { databaseUrl: await postgres.createDatabase("shared") };
      const path = fileURLToPath(new URL("../../support/metered-server-process.ts", import.meta.url));
      // Both start at the same time on an empty database, so their migrations run at the same time too.
      const keys = [gasKey, await chain.createGasKey()];
      const started = keys.map((key) => {
        const argument = JSON.stringify({ rpcUrl: chain.url, gasKey: key, ledger, settings });
        const child = spawn(process.execPath, [path, argument], { stdio: ["ignore", "pipe", "inherit"] });
        children.push(child);
        return createInterface(child.stdout)[Symbol.asyncIterator]().next();
      });
      for (const line of await Promise.all(started)) urls.push(String(line.value));
    }, 60_000);
    afterAll(async () => {
      for (const child of children) child.kill("SIGKILL");
      await postgres?.remove();
    });

    it("exactly 50 free, exactly 100 on a pass", async () => {
      expect(await rush(urls)).toBe(50);
      expect(await rush(urls, { "x-svc-pass": await buy(urls[0] as string) })).toBe(100);
    });

    it("one authorization to both at once is charged once and answered the same", async () => {
      const { encode, signPayment, decode } = await import("../../support/payer.ts");
      const payer = await chain.createPayer(1_000_000n);
      const ask = (url: string, headers: Record<string, string>) =>
        fetch(`${url}/explain`, {
          method: "POST",
          headers: { "content-type": "application/json", ...headers },
          body: JSON.stringify({ tx_hash: hashOf(2) }),
        });
      const required = decode((await ask(urls[0] as string, {})).headers.get("payment-required"));
      const header = { "payment-signature": encode(await signPayment({ required, account: payer })) };
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, index) => ask(urls[index % 2] as string, header)),
      );
      expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200));
      expect(new Set(replies.map((reply) => reply.headers.get("payment-response"))).size).toBe(1);
      expect(await chain.balance(payer.address)).toBe(980_000n);
    });
  });
});
