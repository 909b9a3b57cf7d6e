import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { LedgerSettings } from "../../../src/serve/settings/payment-settings.ts";
import { findAnvil, startChain, type TestChain } from "../../support/anvil.ts";
import { type MeteredServer, newDirectory, openMeteredServer } from "../../support/metered-server.ts";
import type { MeteredProcessOptions } from "../../support/metered-server-process.ts";
import { decode, encode, signPayment } from "../../support/payer.ts";
import { findPostgres, startPostgres, type TestPostgres } from "../../support/postgres.ts";
import { hashOf } from "../../support/sample.ts";
import { answerTo, hashes, post, price, told } from "./paid-batch.ts";

/** What the buyer of a pass binds it to. */
const secret = "a secret of the buyer";

/** The order of a payment, each step before and after. */
const steps = ["ledger.findPayment", "facilitator.verify", "work", "ledger.openPayment", "facilitator.settle"];
const edges = (names: readonly string[]) => names.flatMap((name) => [`${name}:before`, `${name}:after`]);
const explainPoints = [...edges([...steps, "broadcast", "ledger.settlePayment"]), "reply:before"];
const passPoints = [
  ...edges([
    ...steps.filter((step) => step !== "work"),
    "broadcast",
    "chain.readAuthorization",
    "ledger.settlePayment",
  ]),
  ...edges(["ledger.findPassOf"]),
  "reply:before",
];
const sharedPoints = [
  "ledger.openPayment:after",
  "broadcast:after",
  "facilitator.settle:after",
  "ledger.settlePayment:after",
];

describe.skipIf(findAnvil() === undefined)("kill -9", { timeout: 120_000 }, () => {
  let chain: TestChain;
  let gasKey: `0x${string}`;
  const running = new Set<ChildProcess>();
  const opened: MeteredServer[] = [];

  beforeAll(async () => {
    chain = await startChain();
    gasKey = await chain.createGasKey();
  });
  afterEach(async () => {
    for (const child of running) child.kill("SIGKILL");
    await Promise.all(opened.splice(0).map((server) => server.close()));
  });
  afterAll(() => chain?.stop());

  const optionsOf = (ledger: LedgerSettings) => ({
    ...{ rpcUrl: chain.url, gasKey, ledger },
    settings: { freeCallsPerDay: 0, passCalls: 5 },
  });

  /** A server in its own process, which dies at the given point. */
  async function startDeadly(ledger: LedgerSettings, dieAt: string) {
    const argument = JSON.stringify({ ...optionsOf(ledger), dieAt } satisfies MeteredProcessOptions);
    const path = fileURLToPath(new URL("../../support/metered-server-process.ts", import.meta.url));
    const child = spawn(process.execPath, [path, argument], { stdio: ["ignore", "pipe", "inherit"] });
    running.add(child);
    const gone = new Promise<NodeJS.Signals | null>((resolve) => {
      child.once("exit", (_code, signal) => {
        running.delete(child);
        resolve(signal);
      });
    });
    const url = String((await createInterface(child.stdout)[Symbol.asyncIterator]().next()).value);
    return { url, gone, send: sender(url) };
  }

  /** The server that starts next, on the same ledger. It does not have to die, so it needs no process of its own. */
  async function startAgain(ledger: LedgerSettings) {
    const server = await openMeteredServer(optionsOf(ledger));
    opened.push(server);
    return { url: server.url, send: sender(server.url) };
  }

  /**
   * The server dies at the point and starts again, and the client sends the same request again. It is paid once, delivered, and delivered
   * again on the next request.
   */
  async function dieAndRecover(path: "/explain" | "/pass", dieAt: string, ledger: LedgerSettings, isBound = false) {
    const payer = await chain.createPayer(20_000_000n);
    const first = await startDeadly(ledger, dieAt);
    const required = decode((await first.send(path, {})).headers.get("payment-required"));
    const payment = { "payment-signature": encode(await signPayment({ required, account: payer })) };
    const key = { "x-svc-claim-key": createHash("sha256").update(secret).digest("hex") };
    await expect(first.send(path, { ...payment, ...(isBound && key) })).rejects.toThrow();
    expect(await first.gone).toBe("SIGKILL");
    // If nothing was written before it died, this is the first request, and binds it.
    const header = { ...payment, ...(isBound && { ...key, "x-svc-claim-secret": secret }) };

    const second = await startAgain(ledger);
    const delivered = await second.send(path, header);
    const body = await delivered.text();
    expect(delivered.status, body).toBe(200);
    const price = BigInt(required.accepts[0].amount);
    expect(await chain.balance(payer.address)).toBe(20_000_000n - price);
    const { transaction } = decode(delivered.headers.get("payment-response"));
    expect((await chain.reader.getTransactionReceipt({ hash: transaction })).status).toBe("success");

    if (isBound) expect((await second.send(path, payment)).status).toBe(409);
    const again = await second.send(path, header);
    const record = JSON.parse(await again.text());
    const { pass_token: token } = JSON.parse(body);
    // A pass that is given again has another token, and is the same pass.
    const same = token === undefined ? {} : { pass_token: expect.stringContaining(token.slice(0, 29)) };
    expect([again.status, record]).toEqual([200, { ...JSON.parse(body), ...same }]);
    if (token !== undefined) expect(record.pass_token).not.toBe(token);
    expect(again.headers.get("payment-response")).toBe(delivered.headers.get("payment-response"));
    expect(await chain.balance(payer.address)).toBe(20_000_000n - price);
    return { body: record, second, header, old: { "x-svc-pass": String(token) } };
  }

  /** The same for a batch: the same payment delivers every line, and no more lines than it paid for. */
  async function dieInBatch(dieAt: string, ledger: LedgerSettings) {
    const payer = await chain.createPayer(20_000_000n);
    const asked = hashes(1, 2, 3, 4);
    const first = await startDeadly(ledger, dieAt);
    const required = decode((await post(first.url, asked)).headers.get("payment-required"));
    const header = { "payment-signature": encode(await signPayment({ required, account: payer })) };
    const cut = post(first.url, asked, header).then((reply) => reply.text());
    await expect(cut).rejects.toThrow();
    const second = await startAgain(ledger);
    for (let send = 0; send < 2; send++) {
      const reply = await post(second.url, asked, header);
      expect((await told(reply)).lines).toEqual(asked.map(answerTo));
      expect(await chain.balance(payer.address)).toBe(20_000_000n - 4n * price);
    }
    expect((await told(await post(second.url, hashes(5), header))).error).toBe("credit_too_small");
  }
  const batchTitle = "with %s at %s: paid once, and every line is delivered with the same payment";

  it.each(explainPoints)("while an explanation is paid, at %s: paid once, delivered", async (point) => {
    const { body, second, header } = await dieAndRecover("/explain", point, { dataDir: newDirectory() });
    expect(body.tx_hash).toBe(hashOf(1));
    expect((await second.send("/explain", header, hashOf(2))).status).toBe(402);
  });

  it.each(passPoints.flatMap((point) => [[point, "at home"] as const, [point, "with a secret"] as const]))(
    "while a pass is bought, at %s, %s: paid once, and the pass works",
    async (point, how) => {
      const place = { dataDir: newDirectory() };
      const { body, second, old } = await dieAndRecover("/pass", point, place, how === "with a secret");
      const used = await second.send("/explain", { "x-svc-pass": body.pass_token });
      expect([used.status, used.headers.get("x-svc-pass-remaining")]).toEqual([200, "4"]);
      expect((await second.send("/explain", old)).status).toBe(402);
    },
  );

  it.each([
    ["SQLite", "broadcast:after"],
    ["SQLite", "ledger.buyLine:after"],
  ])(batchTitle, async (_name, point) => {
    await dieInBatch(point, { dataDir: newDirectory() });
  });

  describe.skipIf(findPostgres() === undefined)("with the ledger in PostgreSQL", () => {
    let postgres: TestPostgres;
    let database: string;
    beforeAll(async () => {
      postgres = await startPostgres();
      database = await postgres.createDatabase("kill");
    });
    afterAll(() => postgres?.remove());

    it.each(sharedPoints)("at %s: paid once, delivered", async (point) => {
      await dieAndRecover("/explain", point, { databaseUrl: database });
      await dieAndRecover("/pass", point, { databaseUrl: database });
    });

    it.each([["PostgreSQL", "ledger.buyLine:after"]])(batchTitle, async (_name, point) => {
      await dieInBatch(point, { databaseUrl: await postgres.createDatabase("batch_kill") });
    });
  });
});

/** Sends one request, and the same each time. */
function sender(url: string) {
  return (path: "/explain" | "/pass", headers: Record<string, string>, hash = hashOf(1)) =>
    fetch(`${url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: path === "/pass" ? null : JSON.stringify({ tx_hash: hash }),
    });
}
