import { readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { startRpcServer } from "../../support/rpc-server.ts";
import { chainFixture, chainMethods } from "../../support/rpc-server-chain.ts";
import { hashOf } from "../../support/sample.ts";
import { lock, openRuleCopy } from "./rule-copy.ts";

const { copy, run } = openRuleCopy();

describe("rule-lint new", { timeout: 90_000 }, () => {
  it.each(["sourcify", "blockscout"])("asks %s for the name and the ABI of the code that runs", async (server) => {
    const implementation = `0x${"1f".repeat(20)}`;
    const abi = [
      {
        type: "function",
        name: "createLock",
        inputs: ["value", "unlockTime"].map((name, i) => ({ name, type: i === 0 ? "uint128" : "uint256" })),
      },
    ];
    const { url, visits } = await startRpcServer({
      methods: {},
      explorer: ({ pathname }) => {
        const proxy = !pathname.endsWith(implementation);
        const [name, own] = proxy ? ["TransparentUpgradeableProxy", []] : ["VotingEscrowV2", abi];
        const implementations = proxy ? [{ address: implementation }] : [];
        return server === "sourcify"
          ? { status: 200, body: { abi: own, compilation: { name }, proxyResolution: { implementations } } }
          : { status: 200, body: { abi: own, name, implementations } };
      },
    });
    const asked =
      server === "sourcify" ? { SOURCIFY_URL: url, BLOCKSCOUT_URL: "" } : { SOURCIFY_URL: "", BLOCKSCOUT_URL: url };
    const { code, stderr } = await run.with(
      { LOOKUPS: "on", DRAINER_LISTS: "", ...asked },
      "new",
      "ve-lock",
      "--tx",
      lock,
    );
    expect(code).toBe(0);
    expect(stderr).toBe(`rule-lint: asking ${new URL(url).host} for names and ABIs, 3 s at most\n`);
    const text = readFileSync(join(copy, "rules/yield/ve-lock.yaml"), "utf8");
    expect(text).toContain("  voting_escrow:\n");
    expect(text).toContain(`# draft: its source code is published at ${new URL(url).host} (VotingEscrowV2).`);
    expect(text).toContain("    anchor: { call: createLock }\n    at: voting_escrow\n");
    expect(visits.some((path) => path.includes(implementation))).toBe(true);
    rmSync(join(copy, "rules/yield/ve-lock.yaml"));
  });

  it("drafts without them when they fail", async () => {
    const { url } = await startRpcServer({ methods: {}, explorer: () => ({ status: 404, body: { match: null } }) });
    const env = { LOOKUPS: "on", DRAINER_LISTS: "", SOURCIFY_URL: url, BLOCKSCOUT_URL: "http://127.0.0.1:9" };
    const told = ["--action", "stake", "--role", "escrow"];
    const { code, stdout } = await run.with(env, "new", "ve-lock", "--tx", lock, ...told);
    expect([code, stdout]).toEqual([0, expect.stringContaining("yield/ve-lock.yaml: call any at escrow is stake")]);
    const text = readFileSync(join(copy, "rules/yield/ve-lock.yaml"), "utf8");
    expect(text).toContain('    say: "stake {gives} on {protocol}"');
    expect(text.match(/\b(?:entry|payment)$/gm)).toBeNull();
    rmSync(join(copy, "rules/yield/ve-lock.yaml"));
  });

  it("fetches and records what is not recorded", async () => {
    const node = await startRpcServer({ methods: chainMethods(chainFixture()) });
    const recordings = join(copy, "cases");
    const args = ["new", "token-desk", "--tx", hashOf(1), "--family", "payments"];
    const { code, stdout, stderr } = await run(...args, "--rpc", node.url, "--recordings", recordings);
    expect(code).toBe(0);
    expect(stderr).toBe(`rule-lint: asking ${new URL(node.url).host} for the transaction, 3 s at most\n`);
    expect(stdout).toMatch(
      new RegExp(
        `^recorded cases/${hashOf(1)}.json\\ndrafted rules/payments/token-desk.yaml: call any at \\w+ is payment\\n`,
      ),
    );
    expect(readdirSync(recordings)).toEqual([`${hashOf(1)}.json`]);
    expect(await run("rules/payments/token-desk.yaml", "--recordings", recordings)).toMatchObject({ code: 0 });
    rmSync(join(copy, "rules/payments/token-desk.yaml"));
  });

  it("says whom it asks for the transaction, and gives up", async () => {
    const { host, url } = await startSilentServer();
    const { code, stdout, stderr } = await run("new", "one", "--tx", hashOf(77), "--rpc", url, "--family", "social");
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr.split("\n").slice(0, 2)).toEqual([
      `rule-lint: asking ${host} for the transaction, 3 s at most`,
      expect.stringMatching(
        `^rule-lint: no endpoint told the transaction within 3 s .asked: ${host}.; name another one`,
      ),
    ]);
  });

  it("says whom it asks for names and ABIs, and drafts without", async () => {
    const { host, url } = await startSilentServer();
    const env = { LOOKUPS: "on", DRAINER_LISTS: "", SOURCIFY_URL: url, BLOCKSCOUT_URL: url };
    const { code, stderr } = await run.with(env, "new", "ve-lock", "--tx", lock, "--family", "yield");
    expect(code).toBe(0);
    expect(stderr).toBe(`rule-lint: asking ${host} and ${host} for names and ABIs, 3 s at most\n`);
    rmSync(join(copy, "rules/yield/ve-lock.yaml"));
  });
});

/** Accepts connections and never answers. */
async function startSilentServer(): Promise<{ host: string; url: string }> {
  const server = createServer(() => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { host, url: `http://${host}` };
}
