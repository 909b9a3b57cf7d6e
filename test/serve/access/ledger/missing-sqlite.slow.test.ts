import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { openLedger } from "../../../../src/serve/access/ledger/ledger.ts";
import { runMain } from "../../../support/main-process.ts";
import { newDirectory, passSecret, payTo } from "../../../support/metered-server.ts";
import { runTxgloss } from "../../../tools/cli/txgloss-process.ts";

/** A module that lets node:sqlite look as in Node.js 23: its connections do not tell whether a transaction is open. */
function withOldSqlite(): string {
  const path = join(newDirectory(), "old.mjs");
  writeFileSync(path, 'process.getBuiltinModule("node:sqlite").DatabaseSync = class {};');
  return `--import ${pathToFileURL(path)}`;
}

describe.each([
  ["without node:sqlite", "--no-experimental-sqlite"],
  ["whose node:sqlite is too old", withOldSqlite()],
])("a Node.js %s", { timeout: 60_000 }, (_name, options) => {
  const env = { DATA_DIR: newDirectory(), NODE_OPTIONS: options };
  const told = `Node.js ${process.versions.node} has no node:sqlite that can keep a ledger (sqlite_missing). Use Node.js`;

  it("is told when the service is to charge with a file", async () => {
    const charging = { X402_PAY_TO: payTo, PASS_SECRET: passSecret, X402_FACILITATOR_URL: "http://127.0.0.1:9" };
    const { code, stdout, stderr } = await runMain({ ...charging, X402_FACILITATOR: "http", ...env });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(`DATA_DIR: ${told}`);
  });

  it("is told by the command for the ledger, as no mistake of ours", async () => {
    await (await openLedger({ dataDir: env.DATA_DIR })).close();
    const { code, stdout, stderr } = await runTxgloss(["ledger"], env);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(told);
    expect(stderr).not.toContain(" at ");
  });
});
