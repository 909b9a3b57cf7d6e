import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { request as sendRequest } from "node:http";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { PrivateKeyAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { claimMessage } from "../../src/access/payment/claim.ts";
import { ServiceError } from "../../src/kernel/error.ts";
import type { Hash } from "../../src/kernel/hex.ts";
import type { LedgerSettings, PaymentSettings } from "../../src/settings/payment-settings.ts";
import { findAnvil, startChain, type TestChain } from "../support/anvil.ts";
import { type MeteredServer, newDirectory, openMeteredServer, publicUrl } from "../support/metered-server.ts";
import { decode, encode, nonceOf, payingFetch, signPayment } from "../support/payer.ts";
import { findPostgres, startPostgres, type TestPostgres } from "../support/postgres.ts";
import { caseFileOf, explanationOf, hashOf } from "../support/sample.ts";

const price = 20_000n;
const start = 20_000_000n;
const answerTo = (hash: Hash) => JSON.stringify(explanationOf(hash));
const hashes = (...numbers: number[]) => numbers.map(hashOf);

/** POST /explain/batch. */
const post = (url: string, tx_hashes: readonly string[], headers: Record<string, string> = {}, by = fetch) =>
  by(`${url}/explain/batch`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ tx_hashes }),
  });

/** The lines of an answer; of what is refused, its error. */
async function told(reply: Response): Promise<{ status: number; lines: string[]; error: string; codes: unknown[] }> {
  const text = await reply.text();
  if (reply.status !== 200) return { status: reply.status, lines: [], error: JSON.parse(text).error, codes: [] };
  const lines = text.slice(0, -1).split("\n");
  return { status: 200, lines, error: "", codes: lines.map((line) => JSON.parse(line).error) };
}

describe.skipIf(findAnvil() === undefined)("a batch that is paid for", { timeout: 120_000 }, () => {
  let chain: TestChain;
  let gasKey: `0x${string}`;
  let payer: PrivateKeyAccount;
  let postgres: TestPostgres | undefined;
  /** What does not answer now. */
  const away = new Set<Hash>();
  /** What the second half of a long batch waits for. */
  let gate: Promise<void> | null = null;

  beforeAll(async () => {
    chain = await startChain();
    gasKey = await chain.createGasKey();
    if (findPostgres() !== undefined) postgres = await startPostgres();
  }, 60_000);
  beforeEach(async () => {
    away.clear();
    payer = await chain.createPayer(start);
  });
  afterAll(async () => {
    await chain?.stop();
    await postgres?.remove();
  }, 60_000);

  const spent = async () => start - (await chain.balance(payer.address));

  describe.each([
    ["SQLite", false],
    ["PostgreSQL", findPostgres() === undefined],
  ])("with the ledger in %s", (name, missing) => {
    describe.skipIf(missing)("", () => {
      let server: MeteredServer;
      let place: LedgerSettings;
      const open = (settings: Partial<PaymentSettings> = {}) =>
        openMeteredServer({
          ...{ rpcUrl: chain.url, gasKey, ledger: place },
          settings: { freeCallsPerDay: 0, passCalls: 3, trustProxy: ["loopback"], ...settings },
          gather: async (hash) => {
            if (away.has(hash)) throw new ServiceError("upstream_unavailable");
            if (hash >= hashOf(5_020)) await gate;
            return caseFileOf(hash);
          },
        });
      beforeAll(async () => {
        place =
          name === "SQLite"
            ? { dataDir: newDirectory() }
            : { databaseUrl: (await postgres?.createDatabase("batch")) as string };
        server = await open();
      });
      afterAll(() => server?.close());

      /** A payment for so many of these lines as the challenge states. */
      async function sign(asked: readonly string[], headers: Record<string, string> = {}) {
        const reply = await post(server.url, asked, headers);
        const required = decode(reply.headers.get("payment-required"));
        const payload = await signPayment({ required, account: payer });
        const header = { "payment-signature": encode(payload) };
        return { required, payload, header, lines: Number(required.accepts[0].amount) / Number(price) };
      }

      it("the official client pays for the lines at once, and gets them in order", async () => {
        const asked = hashes(1, 2, 3, 2);
        const reply = await post(server.url, asked, {}, payingFetch(payer));
        expect(reply.headers.get("x-svc-credit")).toBe("3");
        expect((await told(reply)).lines).toEqual(asked.map(answerTo));
        expect(await spent()).toBe(3n * price);
        const { transaction } = decode(reply.headers.get("payment-response"));
        expect((await chain.reader.getTransactionReceipt({ hash: transaction })).status).toBe("success");
      });

      it("a line without an answer stays as credit, and the same payment picks it up", async () => {
        const asked = hashes(11, 12, 13);
        away.add(hashOf(12));
        const { header } = await sign(asked);
        const first = await told(await post(server.url, asked, header));
        expect(first.codes).toEqual([undefined, "upstream_unavailable", undefined]);
        expect(await spent()).toBe(3n * price);
        away.clear();
        // What is bought is told again from the ledger; the line that was missing takes the credit, as would another hash.
        const work = server.gathered.length;
        const again = await post(server.url, asked, header);
        expect(again.headers.get("x-svc-credit")).toBe("1");
        expect((await told(again)).lines).toEqual(asked.map(answerTo));
        expect(server.gathered.slice(work)).toEqual([hashOf(12)]);
        expect(await told(await post(server.url, asked, header))).toMatchObject({ lines: asked.map(answerTo) });
        expect(await told(await post(server.url, hashes(14), header))).toMatchObject({
          status: 402,
          error: "credit_too_small",
        });
        expect(await told(await server.explain(hashOf(11), header))).toMatchObject({ error: "payment_already_used" });
        expect(await spent()).toBe(3n * price);
        const rows = await server.parts.ledger.listPayments(1);
        expect(rows).toMatchObject([{ product: "batch", lines: 3, amount: 3n * price, state: "settled" }]);
      });

      it("a payment that no line needs is not settled, and can be used later", async () => {
        const asked = hashes(21, 22);
        for (const hash of asked) away.add(hash);
        const { header, payload } = await sign(asked);
        expect((await told(await post(server.url, asked, header))).codes).toEqual(
          Array(2).fill("upstream_unavailable"),
        );
        expect(await spent()).toBe(0n);
        expect(await chain.isUsed(payer.address, nonceOf(payload))).toBe(false);
        away.clear();
        expect((await told(await post(server.url, asked, header))).lines).toEqual(asked.map(answerTo));
        expect(await spent()).toBe(2n * price);
      });

      it("many at once with one payment: paid once, and each line bought once", async () => {
        const asked = hashes(31, 32, 33, 34);
        const { header } = await sign(asked);
        const replies = await Promise.all(Array.from({ length: 8 }, () => post(server.url, asked, header)));
        for (const reply of replies) expect((await told(reply)).lines).toEqual(asked.map(answerTo));
        expect(await spent()).toBe(4n * price);
        expect(server.access.usage.counts.paid).toBeGreaterThanOrEqual(4);
      });

      it("refuses what pays for too few lines, for another product, or comes from somebody else", async () => {
        const small = await sign(hashes(41, 42));
        expect(await told(await post(server.url, hashes(41, 42, 43), small.header))).toMatchObject({
          status: 402,
          error: "payment_mismatch",
        });
        const single = decode((await server.explain(hashOf(41))).headers.get("payment-required"));
        const other = encode(await signPayment({ required: single, account: payer }));
        const wrong = await told(await post(server.url, hashes(41), { "payment-signature": other }));
        expect(wrong.error).toBe("resource_mismatch");
        const odd = { value: "30000" };
        const unsettled = await signPayment({ required: small.required, account: payer, authorization: odd });
        const header = { "payment-signature": encode(unsettled) };
        expect((await told(await post(server.url, hashes(41), header))).error).toBe("payment_mismatch");
        expect(await spent()).toBe(0n);

        const buyer = { "x-forwarded-for": "192.0.2.10" };
        const thief = { "x-forwarded-for": "198.51.100.20" };
        away.add(hashOf(42));
        await told(await post(server.url, hashes(41, 42), { ...small.header, ...buyer }));
        away.clear();
        expect(await told(await post(server.url, hashes(44), { ...small.header, ...thief }))).toMatchObject({
          status: 409,
          error: "pass_claimed_elsewhere",
        });
        const time = String(Math.floor(Date.now() / 1000));
        const nonce = nonceOf(small.payload).toLowerCase();
        const message = claimMessage({ publicUrl, nonce, time, thing: "lines" });
        const claim = { "x-svc-claim": `${time} ${await payer.signMessage({ message })}` };
        const claimed = await post(server.url, hashes(44), { ...small.header, ...thief, ...claim });
        expect((await told(claimed)).lines).toEqual([answerTo(hashOf(44))]);
        expect(await spent()).toBe(2n * price);
      });

      it("a client that leaves in the middle has the rest as credit", async () => {
        const asked = hashes(...Array.from({ length: 40 }, (_, index) => 5_000 + index));
        const { header } = await sign(asked);
        const opened = Promise.withResolvers<void>();
        gate = opened.promise;
        const body = JSON.stringify({ tx_hashes: asked });
        const headers = { "content-type": "application/json", ...header };
        const sent = sendRequest(`${server.url}/explain/batch`, { method: "POST", headers }).end(body);
        sent.on("error", () => {});
        const [reply] = await once(sent, "response");
        let heard = 0;
        for await (const chunk of reply) {
          heard += String(chunk).split("\n").length - 1;
          if (heard === 20) break;
        }
        sent.destroy();
        const left20 = { event: "batch", lines: 40, told: 20 };
        await vi.waitFor(() => expect(server.lines).toContainEqual(expect.objectContaining(left20)));
        opened.resolve();
        gate = null;
        const again = await post(server.url, asked, header);
        expect(again.headers.get("x-svc-credit")).toBe("20");
        expect((await told(again)).lines).toEqual(asked.map(answerTo));
        expect(await spent()).toBe(40n * price);
        const left = await post(server.url, asked, header);
        expect(left.headers.get("x-svc-credit")).toBe("0");
        await left.text();
      });

      it("takes free calls first, then the pass, then the payment, and counts only what is answered", async () => {
        await server.close();
        server = await open({ freeCallsPerDay: 2 });
        const by = { "x-forwarded-for": `192.0.2.${name.length}` };
        const passHeader = { "payment-signature": "" };
        const passChallenge = decode((await server.buyPass(by)).headers.get("payment-required"));
        passHeader["payment-signature"] = encode(await signPayment({ required: passChallenge, account: payer }));
        const bought = await server.buyPass({ ...passHeader, ...by });
        const pass = { "x-svc-pass": ((await bought.json()) as { pass_token: string }).pass_token, ...by };
        const before = await spent();

        const asked = hashes(61, 62, 63, 64, 65, 66, 67);
        away.add(hashOf(61));
        const { header, lines } = await sign(asked, pass);
        // Two are free, three are of the pass.
        expect(lines).toBe(2);
        const reply = await post(server.url, asked, { ...header, ...pass });
        expect([reply.headers.get("ratelimit")?.slice(0, 10), reply.headers.get("x-svc-pass-status")]).toEqual([
          '"free";r=0',
          "exhausted",
        ]);
        const { codes } = await told(reply);
        expect(codes).toEqual(["upstream_unavailable", ...Array(6).fill(undefined)]);
        // Six answers: two free, three of the pass, one of the two that were paid for.
        expect(await spent()).toBe(before + 2n * price);
        away.clear();
        const again = await post(server.url, hashes(61), { ...header, ...pass });
        expect(again.headers.get("x-svc-credit")).toBe("1");
        expect((await told(again)).lines).toEqual([answerTo(hashOf(61))]);
        expect(await spent()).toBe(before + 2n * price);
        expect(server.access.usage.counts).toMatchObject({ free: 2, pass: 3, paid: 3 });
      });

      it("gives back what a batch held for lines that have no answer", async () => {
        await server.close();
        server = await open({ freeCallsPerDay: 3 });
        const by = { "x-forwarded-for": `198.51.100.${name.length}` };
        for (const hash of hashes(71, 72)) away.add(hash);
        expect((await told(await post(server.url, hashes(71, 72, 73), by))).codes).toEqual([
          "upstream_unavailable",
          "upstream_unavailable",
          undefined,
        ]);
        const left = async () => (await server.explain("0x" as Hash, by)).headers.get("ratelimit")?.slice(0, 10);
        await vi.waitFor(async () => expect(await left()).toBe('"free";r=2'));
        // More than are free: nothing is done, and nothing is held.
        expect(await told(await post(server.url, hashes(71, 72, 73), by))).toMatchObject({
          status: 402,
          error: "free_allowance_used",
        });
        await vi.waitFor(async () => expect(await left()).toBe('"free";r=2'));
      });

      it("tells the price of one line to a request without a body", async () => {
        const reply = await fetch(`${server.url}/explain/batch`, { method: "POST" });
        const { accepts, resource } = decode(reply.headers.get("payment-required"));
        expect([reply.status, accepts[0].amount, resource.url]).toEqual([402, "20000", `${publicUrl}/explain/batch`]);
      });
    });
  });

  describe("kill -9", () => {
    const running = new Set<ChildProcess>();
    afterEach(() => {
      for (const child of running) child.kill("SIGKILL");
      running.clear();
    });

    async function startProcess(ledger: LedgerSettings, dieAt?: string) {
      const settings = { freeCallsPerDay: 0 };
      const argument = JSON.stringify({ rpcUrl: chain.url, gasKey, settings, ledger, dieAt });
      const path = fileURLToPath(new URL("../support/metered-server-process.ts", import.meta.url));
      const child = spawn(process.execPath, [path, argument], { stdio: ["ignore", "pipe", "inherit"] });
      running.add(child);
      return String((await createInterface(child.stdout)[Symbol.asyncIterator]().next()).value);
    }

    const points = [
      ["SQLite", "broadcast:after"],
      ["SQLite", "ledger.buyLine:after"],
      ["PostgreSQL", "ledger.buyLine:after"],
    ] as const;
    it.each(points.filter(([name]) => name === "SQLite" || findPostgres() !== undefined))(
      "with %s at %s: paid once, and every line is delivered with the same payment",
      async (name, point) => {
        const ledger =
          name === "SQLite"
            ? { dataDir: newDirectory() }
            : { databaseUrl: (await postgres?.createDatabase("batch_kill")) as string };
        const asked = hashes(1, 2, 3, 4);
        const first = await startProcess(ledger, point);
        const required = decode((await post(first, asked)).headers.get("payment-required"));
        const header = { "payment-signature": encode(await signPayment({ required, account: payer })) };
        const cut = post(first, asked, header).then((reply) => reply.text());
        await expect(cut).rejects.toThrow();
        const second = await startProcess(ledger);
        for (let send = 0; send < 2; send++) {
          const reply = await post(second, asked, header);
          expect((await told(reply)).lines).toEqual(asked.map(answerTo));
          expect(await spent()).toBe(4n * price);
        }
        expect((await told(await post(second, hashes(5), header))).error).toBe("credit_too_small");
      },
    );
  });
});
