import { copyFileSync, existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Ledger, openLedger } from "../../../../src/serve/access/ledger/ledger.ts";
import { openSqlite } from "../../../../src/serve/access/ledger/sqlite.ts";
import { newDirectory } from "../../../support/metered-server.ts";
import { payment, rich } from "./sample-payment.ts";

const unavailable = { code: "ledger_unavailable" };

describe("the file of an open ledger", () => {
  let directory: string;
  let ledger: Ledger;
  let file: string;
  beforeEach(async () => {
    directory = newDirectory();
    ledger = await openLedger({ dataDir: directory });
    file = join(directory, "ledger.sqlite");
    await ledger.openPayment(payment("before"), rich);
  });
  afterEach(() => ledger.close());

  const moves: [string, () => void][] = [
    [
      "is removed with all that stands beside it",
      () => readdirSync(directory).map((name) => rmSync(join(directory, name))),
    ],
    ["is removed alone", () => rmSync(file)],
    [
      "is replaced by a copy",
      () => {
        copyFileSync(file, `${file}.copy`);
        renameSync(`${file}.copy`, file);
      },
    ],
    ["loses its journal", () => rmSync(`${file}-wal`)],
  ];
  it.each(moves)("takes no payment any more when it %s, and says so", async (_name, move) => {
    move();
    await expect(async () => ledger.openPayment(payment("after"), rich)).rejects.toMatchObject(unavailable);
    await expect(async () => ledger.ping()).rejects.toMatchObject(unavailable);
    await expect(async () =>
      ledger.settlePayment("before", { transaction: "0x01", now: 2_000, pass: null }),
    ).rejects.toMatchObject(unavailable);
  });

  it("takes payments again when it is back", async () => {
    renameSync(file, `${file}.away`);
    await expect(async () => ledger.ping()).rejects.toMatchObject(unavailable);
    renameSync(`${file}.away`, file);
    await ledger.ping();
    expect(await ledger.openPayment(payment("after"), rich)).toBe(true);
  });
});

describe("a folder that cannot be made", () => {
  it.runIf(existsSync("/proc/self"))("is told at once", async () => {
    await expect(openSqlite("/proc/nothing/data")).rejects.toMatchObject({ code: "ENOENT" });
  });
});
