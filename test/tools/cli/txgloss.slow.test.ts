import { spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { version } from "../../../src/engine/build-engine.ts";
import { offline, startMain } from "../../support/main-process.ts";
import { startRpcServer } from "../../support/rpc-server.ts";
import { chainFixture, chainMethods } from "../../support/rpc-server-chain.ts";
import { caseFileOf, hashOf } from "../../support/sample.ts";
import { compileSchema } from "../../support/schema.ts";
import { root } from "../../support/shared.ts";
import { runTxglossHere as run } from "./txgloss-here.ts";
import { recordingOf, runTxgloss } from "./txgloss-process.ts";

/** A swap with a call tree, a transfer of an unlisted token, and a transaction that reverted. */
const swap = "0xcaefbd4ef9f6e3e4024ef4c30926b884884cbccd5293fc534d88c4a8cb2235fb";
const transfer = "0x07389098c3dca7d342158186f4426a926e6f43c0b0f524772f31c311ef42a284";
const reverted = "0xed2d18166c6065fb2d28db26eca4d3546f96f3f59f246269afbbcb6b6f40d79e";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "txgloss-cli-"));
});
afterEach(() => rmSync(dir, { recursive: true }));

const restsOnRecording =
  "txgloss: this rests on a recording: no source of the network answers, or none knows the transaction\n";
const startNode = () => startRpcServer({ methods: chainMethods(chainFixture()) });

describe("txgloss explain", () => {
  it("prints with --json the bytes that POST /explain answers, and a newline", async () => {
    const { child, url } = await startMain();
    for (const hash of [swap, transfer, reverted]) {
      const body = JSON.stringify({ tx_hash: hash });
      const response = await fetch(`${url}/explain`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      });
      const { code, stdout, stderr } = await (hash === swap ? runTxgloss : run)(["explain", hash, "--json"]);
      expect([code, stderr]).toEqual([0, restsOnRecording]);
      expect(stdout).toBe(`${await response.text()}\n`);
    }
    child.kill();
  });

  it("draws with --svg the same file as replay does, of a link too", async () => {
    const [file, again] = [join(dir, "a.svg"), join(dir, "b.svg")];
    const explained = await run(["explain", `https://explorer.example/tx/${swap}`, "--svg", file]);
    const replayed = await run(["replay", recordingOf(swap), "--svg", again]);
    expect([explained.code, replayed.code, replayed.stdout]).toEqual([0, 0, explained.stdout]);
    expect(readFileSync(file, "utf8")).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg".*<\/svg>\n$/s);
    expect(readFileSync(again, "utf8")).toBe(readFileSync(file, "utf8"));
    expect(await run(["explain", swap, "--svg", join(dir, "no/such/folder.svg")])).toMatchObject({ code: 2 });
  });

  it("tells people the summary first, then the figures", async () => {
    const text = await run(["explain", swap]);
    const json = await run(["explain", swap.toUpperCase().replace("0X", "0x"), "--json"]);
    const explanation = JSON.parse(json.stdout);
    expect([text.code, text.stderr]).toEqual([0, restsOnRecording]);
    expect(text.stdout.split("\n")[0]).toBe(explanation.summary);
    expect(text.stdout).toMatch(new RegExp(`^type +${explanation.action_type}$`, "m"));
    expect(text.stdout).toMatch(new RegExp(`^time +${explanation.timestamp}, block ${explanation.block_number}$`, "m"));
    for (const { amount } of explanation.assets_moved) expect(text.stdout).toContain(amount);
    for (const { address } of explanation.counterparties) expect(text.stdout).toContain(address);
    const { contract_verification } = explanation.checks;
    expect(text.stdout).toMatch(new RegExp(`^checks +contract verification: ${contract_verification}$`, "m"));
    expect(text.stdout).toContain(explanation.explorer_url);
    expect(text.stdout.endsWith("\n")).toBe(true);
  });

  it("says of a reverted transaction that it reverted, and in --why which rule said so", async () => {
    const { stdout } = await run(["explain", reverted, "--why"]);
    expect(stdout).toMatch(/reverted/);
    expect(stdout).toMatch(/^status +reverted/m);
    expect(stdout).toMatch(/^flags +transaction_reverted: /m);
    expect(stdout).toMatch(/^stands +[\w-]+\/[\w-]+@[0-9a-f]{12}: /m);
  });

  it("prints the evidence with --why: ruleset, subject, calls, what stands and what it claims", async () => {
    const text = await run(["explain", swap, "--why"]);
    const { stdout } = await run(["explain", swap, "--json", "--why"]);
    const [first, second, end] = stdout.split("\n");
    expect(end).toBe("");
    expect(`${first}\n`).toBe((await run(["explain", swap, "--json"])).stdout);
    const evidence = JSON.parse(second ?? "");
    expect(text.stdout).toMatch(new RegExp(`^ruleset +${evidence.ruleset}$`, "m"));
    expect(text.stdout).toMatch(new RegExp(`^subject +${evidence.subject}$`, "m"));
    expect(evidence.calls.length).toBeGreaterThan(0);
    for (const call of evidence.calls)
      expect(text.stdout).toContain(`#${call.id}  ${call.from} → ${call.to}  ${call.selector}`);
    const [headline] = evidence.actions;
    expect(text.stdout).toContain(`${headline.rule}@${headline.version}: ${headline.action}; claims `);
    expect(headline.movements.length).toBeGreaterThan(0);
    expect(text.stdout).toContain(`movements ${headline.movements.join(" ")}`);
    for (const { rule, by, reason } of evidence.superseded)
      expect(text.stdout).toContain(`${rule} to ${by}: ${reason}`);
  });

  it("asks the endpoint of --rpc and no recording", async () => {
    const { url, batches } = await startNode();
    const { code, stdout } = await run(["explain", hashOf(1), "--json", "--rpc", url]);
    const validate = compileSchema("explanation");
    expect(validate(JSON.parse(stdout)), JSON.stringify(validate.errors)).toBe(true);
    expect([code, JSON.parse(stdout).tx_hash]).toEqual([0, hashOf(1)]);
    expect(batches.flat()).toContain("eth_getTransactionByHash");
    const asked = batches.length;
    expect((await run(["explain", swap, "--rpc", url])).code).toBe(1);
    expect(batches.length).toBeGreaterThan(asked);
  });

  it("ends with 1 and one line of JSON when there is no such transaction and JSON is wanted", async () => {
    const { url } = await startNode();
    const { code, stdout, stderr } = await run(["explain", hashOf(9), "--json", "--rpc", url]);
    expect([code, stdout]).toEqual([1, ""]);
    const error = JSON.parse(stderr);
    const validate = compileSchema("error");
    expect(validate(error), JSON.stringify(validate.errors)).toBe(true);
    expect(error).toMatchObject({ error: "transaction_not_found", retryable: true });
  });

  it("ends with 1 when no source answers", async () => {
    const { code, stdout, stderr } = await run(["explain", hashOf(9)]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(
      /^txgloss: No chain source answered[^\n]*\nTry again, or name endpoints of your own: --rpc URL, /,
    );
  });

  it("does not mind a reader that leaves early", async () => {
    const child = spawn(process.execPath, [join(root, "src/tools/cli/txgloss.ts"), "explain", swap, "--json"], {
      env: { ...process.env, ...offline },
      stdio: ["ignore", "pipe", "pipe"],
    });
    child.stdout.destroy();
    let said = "";
    child.stderr.on("data", (chunk) => (said += chunk));
    expect(await once(child, "close")).toEqual([0, null]);
    expect(said).toBe(restsOnRecording);
  });
});

describe("txgloss record and replay", () => {
  it("write a case and explain it again, byte for byte, without the endpoint", async () => {
    const { url } = await startNode();
    const live = await run(["explain", hashOf(1), "--json", "--rpc", url]);
    const recorded = await run(["record", hashOf(1), hashOf(1), "--rpc", url, "--dir", dir]);
    const path = join(dir, `${hashOf(1)}.json`);
    expect(recorded).toEqual({ code: 0, stdout: `${path}\n`, stderr: "" });
    const replayed = await run(["replay", path, "--json"]);
    expect(replayed).toEqual({ code: 0, stdout: live.stdout, stderr: "" });
  });

  it("write what can be had, tell what cannot, and end with 1", async () => {
    const { url } = await startNode();
    const into = join(dir, "new", "folder");
    const { code, stdout, stderr } = await run(["record", hashOf(8), hashOf(1), "--rpc", url, "--dir", into]);
    expect([code, stdout]).toEqual([1, `${join(into, `${hashOf(1)}.json`)}\n`]);
    expect(stderr).toBe(
      `txgloss: ${hashOf(8)}: No chain source knows this transaction.\nCheck the hash. A transaction that was sent a moment ago is known in a few seconds.\n`,
    );
    expect(readdirSync(into)).toEqual([`${hashOf(1)}.json`]);
  });

  it("write into RECORDINGS_DIR unless told otherwise, over what is there", async () => {
    const { url } = await startNode();
    const path = join(dir, `${hashOf(1)}.json`);
    writeFileSync(path, "{}");
    const env = { RECORDINGS_DIR: dir, RPC_URLS: url };
    expect((await run(["record", hashOf(1)], env)).stdout).toBe(`${path}\n`);
    expect(JSON.parse(readFileSync(path, "utf8")).tx_hash).toBe(hashOf(1));
  });

  it.each([swap, transfer, reverted])("replay %s as explain does", async (hash) => {
    const replayed = await run(["replay", recordingOf(hash), "--json", "--why"]);
    expect({ ...replayed, stderr: restsOnRecording }).toEqual(await run(["explain", hash, "--json", "--why"]));
  });

  it("replay for people as explain does", async () => {
    expect((await run(["replay", recordingOf(swap), "--why"])).stdout).toBe(
      (await run(["explain", swap, "--why"])).stdout,
    );
  });

  it.each([
    ["is not there", undefined, /there is no /],
    ["is no JSON", "{", /is not a case file/],
    ["lacks its parts", "{}", /is not a case file: .*required/],
    ["is of another chain", JSON.stringify({ ...caseFileOf(hashOf(1)), chain_id: 1 }), /chain/],
  ])("refuse a case that %s", async (_what, content, message) => {
    const path = join(dir, "case.json");
    if (content !== undefined) writeFileSync(path, content);
    const { code, stdout, stderr } = await run(["replay", path]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});

describe("txgloss", () => {
  it("is a program of its own for a shell", () => {
    const path = join(root, "src/tools/cli/txgloss.ts");
    expect(readFileSync(path, "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/);
    if (process.platform !== "win32") expect(() => accessSync(path, constants.X_OK)).not.toThrow();
  });

  it("tells its version", async () => {
    expect(await runTxgloss(["--version"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
  });

  it("serves, and stops on SIGTERM", async () => {
    const child = spawn(process.execPath, [join(root, "src/tools/cli/txgloss.ts"), "serve"], {
      env: { ...process.env, ...offline },
      stdio: ["ignore", "pipe", "inherit"],
    });
    for await (const line of createInterface(child.stdout)) {
      const url = /http:\/\/\S+/.exec(line)?.[0];
      expect((await fetch(`${url}/healthz`)).status).toBe(200);
      break;
    }
    child.kill("SIGTERM");
    expect(await once(child, "close")).toEqual([0, null]);
  });

  it("ends with 2 when the settings or the rules are wrong", async () => {
    const badPort = await runTxgloss(["explain", swap], { DEADLINE_MS: "soon" });
    expect([badPort.code, badPort.stdout]).toEqual([2, ""]);
    expect(badPort.stderr).toContain("DEADLINE_MS");
    writeFileSync(join(dir, "broken.yaml"), "protocol: broken\nnonsense: 1\n");
    const badRules = await run(["replay", recordingOf(swap)], { RULES_DIR: dir });
    expect([badRules.code, badRules.stdout]).toEqual([2, ""]);
    expect(badRules.stderr).toMatch(/broken\.yaml:\d+:\d+ RL\d+/);
  });
});
