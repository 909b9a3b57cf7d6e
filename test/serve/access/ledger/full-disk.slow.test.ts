import { execFileSync, spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { codesOf } from "../../../../src/kernel/logger.ts";
import { openLedger } from "../../../../src/serve/access/ledger/ledger.ts";
import { findAnvil, startChain, type TestChain } from "../../../support/anvil.ts";
import { newDirectory, openMeteredServer } from "../../../support/metered-server.ts";
import { decode, encode, signPayment } from "../../../support/payer.ts";
import { hashOf } from "../../../support/sample.ts";
import { payment, rich } from "./sample-payment.ts";

/** A file system of 4 MB in memory. Undefined where this user may not mount one. */
function mountSmall(): string | undefined {
  const place = newDirectory();
  return spawnSync("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", place]).status === 0 ? place : undefined;
}

/** Fills the place to the last byte. */
function fill(place: string): void {
  for (const [name, bytes] of [
    ["fill-blocks", 65_536],
    ["fill-rest", 512],
  ] as const) {
    try {
      for (let at = 0; ; at++) writeFileSync(join(place, name), Buffer.alloc(bytes), { flag: at === 0 ? "w" : "a" });
    } catch (error) {
      expect((error as NodeJS.ErrnoException).code).toBe("ENOSPC");
    }
  }
}

function clear(place: string): void {
  for (const name of ["fill-blocks", "fill-rest"]) rmSync(join(place, name), { force: true });
}

describe("a file that may not grow", () => {
  it("has every row that the ledger said it wrote, and no other", async () => {
    const dataDir = newDirectory();
    await (await openLedger({ dataDir })).close();
    const script = fileURLToPath(new URL("full-disk-process.ts", import.meta.url));
    // The shell counts in units of 512 or 1024 bytes. Writing more than that fails, as on a full disk.
    const shell = 'ulimit -f 400; exec "$0" "$@"';
    const told = spawnSync("sh", ["-c", shell, process.execPath, script, dataDir], { encoding: "utf8" });
    const { opened, refused, health } = JSON.parse(told.stdout);
    const unwritable = "ledger_unavailable < SQLITE_IOERR_WRITE";
    expect([refused, health]).toEqual([unwritable, unwritable]);
    expect(opened).toBeGreaterThan(5);
    const ledger = await openLedger({ dataDir });
    expect(await ledger.countPayments()).toMatchObject([{ state: "settling", payments: opened }]);
    await ledger.close();
  });
});

const place = mountSmall();

describe.skipIf(place === undefined)("a full disk (skipped if no file system can be mounted)", () => {
  const disk = place as string;
  let chain: TestChain | undefined;
  beforeAll(async () => {
    if (findAnvil() !== undefined) chain = await startChain();
  });
  afterAll(async () => {
    await chain?.stop();
    execFileSync("umount", ["-l", disk]);
  });

  it("is reported for every row, and forgotten when there is room", async () => {
    const ledger = await openLedger({ dataDir: join(disk, "rows") });
    expect(await ledger.openPayment(payment("before"), rich)).toBe(true);
    fill(disk);
    let kept = 0;
    for (let row = 0; row < 20; row++) {
      const big = payment(`row-${row}`, { answer: "x".repeat(20_000) });
      const opened = await Promise.resolve()
        .then(() => ledger.openPayment(big, rich))
        .catch(codesOf);
      // What is left of the journal may hold a row or two.
      if (opened === true) kept++;
      else expect(opened).toBe("ledger_unavailable < SQLITE_FULL");
      expect((await ledger.findPayment(`row-${row}`)) !== undefined).toBe(opened === true);
    }
    expect(kept).toBeLessThan(20);
    clear(disk);
    expect(await ledger.openPayment(payment("after"), rich)).toBe(true);
    await ledger.close();
  });

  it("takes no call while charges cannot be written, and forgets none of them", async () => {
    const dataDir = join(disk, "calls");
    const ledger = await openLedger({ dataDir });
    fill(disk);
    let charged = 0;
    const chargeUntilRefused = async () => {
      for (let day = 0; day < 400; day++) {
        (await ledger.takeFree(`client-${"x".repeat(500)}`, day, 1e6))?.charge();
        charged++;
      }
    };
    await vi.waitFor(() => expect(chargeUntilRefused()).rejects.toMatchObject({ code: "ledger_unavailable" }), 5_000);
    expect(() => ledger.ping()).toThrow("The ledger does not answer");
    clear(disk);
    await vi.waitFor(() => ledger.ping(), 5_000);
    await ledger.close();
    const again = await openLedger({ dataDir });
    let written = 0;
    for (let day = 0; day < 400; day++) written += await again.readFree(`client-${"x".repeat(500)}`, day);
    expect(written).toBe(charged);
    await again.close();
  });

  it.skipIf(findAnvil() === undefined)("sells nothing: no row, no money, and the same payment buys later", async () => {
    const own = chain as TestChain;
    const server = await openMeteredServer({
      rpcUrl: own.url,
      gasKey: await own.createGasKey(),
      ledger: { dataDir: join(disk, "sales") },
      settings: { freeCallsPerDay: 0 },
    });
    const account = await own.createPayer(20_000_000n);
    const required = decode((await server.buyPass()).headers.get("payment-required"));
    const header = { "payment-signature": encode(await signPayment({ required, account })) };
    fill(disk);
    // The journal may still have room for some rows. Other payments fill it; they may fail or not.
    for (let row = 0; row < 20; row++)
      await Promise.resolve()
        .then(() => server.parts.ledger.openPayment(payment(`filler-${row}`, { answer: "x".repeat(20_000) }), rich))
        .catch(() => false);
    for (let row = 0; row < 200; row++)
      await Promise.resolve()
        .then(() => server.parts.ledger.openPayment(payment(`small-${row}`), rich))
        .catch(() => false);
    const refused = await server.buyPass(header);
    expect([refused.status, ((await refused.json()) as { error: string }).error]).toEqual([503, "ledger_unavailable"]);
    expect(await own.balance(account.address)).toBe(20_000_000n);
    clear(disk);
    const bought = await server.buyPass(header);
    expect(bought.status).toBe(200);
    const { pass_token } = (await bought.json()) as { pass_token: string };
    expect(await own.balance(account.address)).toBe(11_000_000n);
    expect((await server.explain(hashOf(1), { "x-svc-pass": pass_token })).status).toBe(200);
    await server.close();
  });
});
