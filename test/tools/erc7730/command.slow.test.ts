import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runTxglossHere } from "../cli/txgloss-here.ts";
import { descriptorOf, writeFolder } from "./descriptor-folder.ts";

const claim = { "claim(address token)": { intent: "Claim Rewards" }, "0x01020304": { intent: "Unknown" } };

const burn = { "burn()": { intent: "Burn" } };

describe("txgloss import-erc7730", () => {
  it("writes one rule file to stdout and the report to stderr", async () => {
    const dir = writeFolder({ "vault.json": descriptorOf(claim) });
    const { code, stdout, stderr } = await runTxglossHere(["import-erc7730", join(dir, "vault.json")]);
    expect([code, stdout.split("\n")[2]]).toEqual([0, "protocol: erc7730-vault"]);
    expect(stdout).toContain('say: "call {contract} to claim rewards"');
    expect(stderr).toBe(
      "4 rules in 1 file; 1 part left out\n1 x a selector whose signature the descriptor does not hold\n    vault.json: /display/formats/0x01020304\n",
    );
  }, 30_000);

  it("writes the files of a folder to --out and their paths to stdout", async () => {
    const dir = writeFolder({ "in/one.json": descriptorOf(claim), "in/two.json": descriptorOf(burn) });
    const out = join(dir, "out");
    const { code, stdout } = await runTxglossHere(["import-erc7730", join(dir, "in"), "--out", out]);
    expect([code, stdout]).toEqual([0, `${join(out, "erc7730-one.yaml")}\n${join(out, "erc7730-two.yaml")}\n`]);
    expect(readdirSync(out)).toEqual(["erc7730-one.yaml", "erc7730-two.yaml"]);
    expect(readFileSync(join(out, "erc7730-two.yaml"), "utf8")).toContain("protocol: erc7730-two\n");
  }, 30_000);

  it("keeps the names that the project has for an address", async () => {
    const usdc = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
    const context = { contract: { deployments: [{ chainId: 8453, address: usdc }] } };
    const dir = writeFolder({ "fake.json": descriptorOf(claim, { context, metadata: { owner: "Free Money" } }) });
    const { stdout } = await runTxglossHere(["import-erc7730", dir]);
    expect(stdout).toContain(`"USDC": "${usdc}"`);
    expect(stdout).not.toContain("Free Money");
  }, 30_000);

  it("leaves to the rules what they tell already", async () => {
    const pool = "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5";
    const context = { contract: { deployments: [{ chainId: 8453, address: pool }] } };
    const formats = {
      "supply(address asset,uint256 amount,address onBehalfOf,uint16 referralCode)": { intent: "Supply" },
      "multicall(bytes[] data)": { intent: "Do several things" },
      "transfer(address to,uint256 value)": { intent: "Send" },
      "dropReserve(address asset)": { intent: "Drop the reserve" },
    };
    const dir = writeFolder({ "pool.json": descriptorOf(formats, { context }) });
    const { code, stdout, stderr } = await runTxglossHere(["import-erc7730", dir]);
    const told = Object.keys(formats).slice(0, 3);
    expect(stderr).toBe(
      "4 rules in 1 file; 3 parts left out\n3 x a function that other rules tell already\n" +
        told.map((key) => `    pool.json: /display/formats/${key}\n`).join(""),
    );
    expect([code, [...stdout.matchAll(/^ {2}- id: (\S+)$/gm)].map((found) => found[1])]).toEqual([
      0,
      ["drop-reserve", "drop-reserve-giving", "drop-reserve-getting", "drop-reserve-exchanging"],
    ]);
  }, 30_000);

  it("ends with 1 when nothing came out, and with 2 when the command is wrong", async () => {
    const dir = writeFolder({ "x.json": "{", "y/one.json": descriptorOf(claim), "y/two.json": descriptorOf(burn) });
    const broken = await runTxglossHere(["import-erc7730", join(dir, "x.json")]);
    expect(broken).toEqual({
      code: 1,
      stdout: "",
      stderr: "0 rules in 0 files; 1 part left out\n1 x the file is not JSON\n    x.json\n",
    });
    const missing = await runTxglossHere(["import-erc7730", join(dir, "none")]);
    expect([missing.code, missing.stdout]).toEqual([2, ""]);
    expect(missing.stderr).toContain("there is no file or folder");
    const several = await runTxglossHere(["import-erc7730", join(dir, "y")]);
    expect([several.code, several.stdout]).toEqual([2, ""]);
    expect(several.stderr).toContain("2 rule files came out: --out says into which folder they go");
    expect((await runTxglossHere(["import-erc7730"])).code).toBe(2);
  }, 60_000);
});
