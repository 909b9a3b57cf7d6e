import { execFile } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findAnvil, startChain, type TestChain } from "../../../support/anvil.ts";
import { newDirectory, openMeteredServer, passSecret, payTo } from "../../../support/metered-server.ts";
import { decode, encode, payingFetch, signPayment } from "../../../support/payer.ts";
import { hashOf } from "../../../support/sample.ts";
import { root } from "../../../support/shared.ts";

interface Outcome {
  status: number;
  stdout: string;
  stderr: string;
}

function runTxgloss(args: string[], env: Record<string, string>): Promise<Outcome> {
  const command = [join(root, "src/tools/cli/txgloss.ts"), ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, command, { env: { ...process.env, ...env } }, (error, stdout, stderr) =>
      resolve({ status: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

describe.skipIf(findAnvil() === undefined)("txgloss ledger", { timeout: 60_000 }, () => {
  let chain: TestChain;
  const dataDir = newDirectory();
  let env: Record<string, string>;

  beforeAll(async () => {
    chain = await startChain();
    const gasKey = await chain.createGasKey();
    env = {
      DATA_DIR: dataDir,
      RPC_URLS: chain.url,
      X402_PAY_TO: payTo,
      PASS_SECRET: passSecret,
      X402_FACILITATOR: "local",
      X402_FACILITATOR_KEY: gasKey,
    };
    const server = await openMeteredServer({
      rpcUrl: chain.url,
      gasKey,
      ledger: { dataDir },
      settings: { freeCallsPerDay: 0 },
      // Settles but never learns the result, as if the process had died at that moment.
      change: (parts) => ({
        ...parts,
        ledger: {
          ...parts.ledger,
          settlePayment: (key, settled) =>
            key.includes(forgetful?.toLowerCase() ?? "nobody")
              ? Promise.reject(new Error("the machine is gone"))
              : parts.ledger.settlePayment(key, settled),
        },
      }),
    });
    let forgetful: string | undefined;
    const payer = await chain.createPayer(20_000_000n);
    expect((await server.explain(hashOf(1), {}, payingFetch(payer))).status).toBe(200);
    const other = await chain.createPayer(20_000_000n);
    forgetful = other.address;
    const required = decode((await server.buyPass()).headers.get("payment-required"));
    const header = { "payment-signature": encode(await signPayment({ required, account: other })) };
    expect((await server.buyPass(header)).status).toBe(500);
    await server.close();
  });
  afterAll(() => chain?.stop());

  it("shows what was sold and what is open", async () => {
    const { status, stdout } = await runTxgloss(["ledger"], env);
    expect(status).toBe(0);
    expect(stdout).toMatch(/Sold\n {2}explain {2}settled +1 {2}0\.02 USDC\n {2}pass +settling {2}1 {2}9 USDC\n/);
    expect(stdout).toMatch(/Open settlements\n {2}[\d-]+ [\d:]+Z {2}pass {2}settling {2}9 USDC {2}0x/);
    expect(stdout).toContain("Passes (the last 50)\n  none\n");
  });

  it("closes what is open by what the chain says, and activates the pass", async () => {
    const closed = await runTxgloss(["ledger", "reconcile"], env);
    expect([closed.status, closed.stderr]).toEqual([0, ""]);
    expect(closed.stdout).toMatch(/Reconciled\n {2}.* {2}pass {2}settled {2}eip155:8453\|0x/);
    const report = JSON.parse((await runTxgloss(["ledger", "--json"], env)).stdout);
    expect(report.open).toEqual([]);
    expect(report.passes).toMatchObject([{ callCap: 10_000, used: 0 }]);
    expect(JSON.stringify(report)).not.toContain("svc_");
  });

  it("says what is missing", async () => {
    expect(await runTxgloss(["ledger"], { DATA_DIR: newDirectory() })).toMatchObject({ status: 2, stdout: "" });
    const open = await runTxgloss(["ledger", "reconcile"], { DATA_DIR: dataDir, RPC_URLS: chain.url });
    expect(open.status).toBe(2);
    expect(open.stderr).toContain("X402_PAY_TO");
  });
});
