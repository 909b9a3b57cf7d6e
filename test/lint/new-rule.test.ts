import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startRpcServer } from "../support/rpc-server.ts";
import { chainFixture, chainMethods } from "../support/rpc-server-chain.ts";
import { hashOf } from "../support/sample.ts";
import { root } from "../support/shared.ts";
import { type LintEnded, runRuleLint } from "./rule-lint-process.ts";

/** A sale of keys, whose protocol is taken out of the copy; a swap by a router that no file names; one that reverted. */
const sale = "0xe65bd7a2b955af8e663b2c42c88bef008b16f7bf9a403690a711fe22fe3a4bd6";
const swap = "0xcaefbd4ef9f6e3e4024ef4c30926b884884cbccd5293fc534d88c4a8cb2235fb";
const reverted = "0xed2d18166c6065fb2d28db26eca4d3546f96f3f59f246269afbbcb6b6f40d79e";

let copy: string;
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), "txgloss-new-"));
  for (const folder of ["rules", "labels", "schemas"])
    cpSync(join(root, folder), join(copy, folder), { recursive: true });
  rmSync(join(copy, "rules/social/friend-tech.yaml"));
});
afterAll(() => rmSync(copy, { recursive: true }));

const run = (...args: string[]): Promise<LintEnded> => runRuleLint(args, { cwd: copy });

describe("rule-lint new", { timeout: 60_000 }, () => {
  it("drafts a file from a recording that lint takes without a word, in its place", async () => {
    const { code, stdout, stderr } = await run("new", "key-market", "--tx", sale, "--family", "social");
    expect([code, stderr, stdout]).toEqual([0, "", "rules/social/key-market.yaml\n"]);
    const text = readFileSync(join(copy, "rules/social/key-market.yaml"), "utf8");
    expect(text).toMatch(/^# yaml-language-server: \$schema=\.\.\/\.\.\/schemas\/rule\.schema\.json\n/);
    expect(text).toContain("protocol: key-market\nname: Key Market\nkind: protocol\n");
    expect(text).toContain('"0xCF205808Ed36593aa40a44F10c7f7C2F67d4A4d4"');
    expect(text).toMatch(/# {3}call 0x[0-9a-f]{8} of main/);
    expect(text).toMatch(/# {3}event 0x[0-9a-f]{64} of main: \d indexed, \d+ bytes of data/);
    expect(text).toContain(`  - tx: "${sale}"`);
    expect(text).toContain("    stranger: [main]");
    expect(await run("rules/social/key-market.yaml", "--fail-on", "warning")).toMatchObject({
      code: 0,
      stdout: "0 errors, 0 warnings in 1 file\n",
    });
  });

  it("uses the signatures that other files know, and puts the file where its action belongs", async () => {
    const { code, stdout } = await run("new", "some-router", "--tx", swap);
    expect([code, stdout]).toEqual([0, "rules/dex/some-router.yaml\n"]);
    const text = readFileSync(join(copy, "rules/dex/some-router.yaml"), "utf8");
    expect(text).toContain('abi:\n  swapExactTokensForETH: "function swapExactTokensForETH(uint256 amountIn,');
    expect(text).toContain("    action: swap # the one that fits");
    expect(text).toContain(
      "    call: swapExactTokensForETH\n    at: main\n    flow: { gives: one erc20, gets: one native }",
    );
    expect(await run("rules/dex/some-router.yaml", "--fail-on", "warning")).toMatchObject({ code: 0 });
    const forged = await run("--mutate", "rules/dex/some-router.yaml");
    expect(forged.stdout).toContain("foreign-emitter  100.0 %");
  });

  it("leaves the whole set without errors", async () => {
    const { code, stdout } = await run("rules");
    expect(stdout).toMatch(/^0 errors, /m);
    expect(code).toBe(0);
  });

  it("fetches and records what is not recorded", async () => {
    const node = await startRpcServer({ methods: chainMethods(chainFixture()) });
    const recordings = join(copy, "cases");
    const args = ["new", "token-desk", "--tx", hashOf(1), "--family", "payments"];
    const { code, stdout, stderr } = await run(...args, "--rpc", node.url, "--recordings", recordings);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toBe(`${join(recordings, `${hashOf(1)}.json`)}\nrules/payments/token-desk.yaml\n`);
    expect(readdirSync(recordings)).toEqual([`${hashOf(1)}.json`]);
    expect(await run("rules/payments/token-desk.yaml", "--recordings", recordings)).toMatchObject({ code: 0 });
    rmSync(join(copy, "rules/payments/token-desk.yaml"));
  });

  it.each([
    [["degen", "--tx", sale], 2, "rules/rewards/degen.yaml is there already"],
    [["Degen", "--tx", sale], 2, '"Degen" is no protocol id'],
    [["one", "--tx", "0x12"], 2, "--tx expects 0x followed by 64 hex digits"],
    [["one", "--tx", sale, "--family", "nowhere"], 2, "--family is one of accounts, "],
    [["one", "two", "--tx", sale], 2, "usage: rule-lint new"],
    [["one", "--tx", sale, "--colour"], 2, "usage: rule-lint new"],
    [["one", "--tx", hashOf(77)], 2, "rule-lint: "],
    [["one", "--tx", reverted], 1, "the transaction reverted"],
  ])("writes nothing for %j", async (args, status, message) => {
    const { code, stdout, stderr } = await run("new", ...args);
    expect([code, stdout]).toEqual([status, ""]);
    expect(stderr).toContain(message);
    expect(existsSync(join(copy, "rules/social/one.yaml"))).toBe(false);
  });
});
