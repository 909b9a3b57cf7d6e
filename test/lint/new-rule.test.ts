import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { startRpcServer } from "../support/rpc-server.ts";
import { chainFixture, chainMethods } from "../support/rpc-server-chain.ts";
import { hashOf } from "../support/sample.ts";
import { root } from "../support/shared.ts";
import { type LintEnded, runRuleLint } from "./rule-lint-process.ts";

/** Transactions of protocols that the copy has no rules of: a sale of keys, a swap, an aggregator's, a mint, a lock; one that reverted. */
const sale = "0xe65bd7a2b955af8e663b2c42c88bef008b16f7bf9a403690a711fe22fe3a4bd6";
const swap = "0xcaefbd4ef9f6e3e4024ef4c30926b884884cbccd5293fc534d88c4a8cb2235fb";
const aggregated = "0xe45c138f3086f821c6598b24999c9cc0ca9ed95ecccc08b57f751d7146fd01ca";
const mint = "0x3c343875e0451c902102d5bf4ae68068acbc7aad1088eb1df47a244c933c6a6d";
const lock = "0x560a5e279a7f1b9c89dca3d7f93da11c9418037c0362f01b443d50967a719d5d";
const reverted = "0xed2d18166c6065fb2d28db26eca4d3546f96f3f59f246269afbbcb6b6f40d79e";

/** Rules that refer to each other only; those of the transactions above are not among them. */
const kept = [
  ...["actions.yaml", "accounts", "infra", "launchpads", "rewards", "standards"],
  ...["aerodrome", "aerodrome-slipstream", "sushiswap", "uniswap-v2", "uniswap-v2-and-v3", "uniswap-v3"].map(
    (name) => `dex/${name}.yaml`,
  ),
];

let copy: string;
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), "txgloss-new-"));
  for (const part of ["labels", "schemas", ...kept.map((name) => `rules/${name}`)])
    cpSync(join(root, part), join(copy, part), { recursive: true });
  for (const family of ["aggregators", "nft", "payments", "social", "yield"]) mkdirSync(join(copy, "rules", family));
});
afterAll(() => rmSync(copy, { recursive: true }));

const run = Object.assign((...args: string[]): Promise<LintEnded> => runRuleLint(args, { cwd: copy }), {
  with: (env: Record<string, string>, ...args: string[]) => runRuleLint(args, { cwd: copy, env }),
});

describe("rule-lint new", { timeout: 90_000 }, () => {
  it("drafts a file from a recording that lint takes without a word, in its place", async () => {
    const { code, stdout, stderr } = await run("new", "key-market", "--tx", sale, "--family", "social");
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^drafted rules\/social\/key-market.yaml: call any at entry is contract_interaction\n/);
    const text = readFileSync(join(copy, "rules/social/key-market.yaml"), "utf8");
    expect(text).toMatch(/^# yaml-language-server: \$schema=\.\.\/\.\.\/schemas\/rule\.schema\.json\n/);
    expect(text).toContain("\nname: Key Market\nkind: protocol\n");
    expect(text).toContain('"0xCF205808Ed36593aa40a44F10c7f7C2F67d4A4d4"');
    expect(text).toMatch(/# draft: nobody told the signature of call 0x[0-9a-f]{8};/);
    expect(text).toMatch(
      /# draft: nobody told the signature of event 0x[0-9a-f]{64} \(\d indexed, \d+ bytes of data\)/,
    );
    expect(text).toContain(`    example: { tx: "${sale}" }`);
    const marks = text.split("# draft:").length - 1;
    expect(stdout).toContain(`Next: look at each of the ${marks} lines marked "# draft:"`);
    const { code: status, stdout: report } = await run("rules/social/key-market.yaml", "--fail-on", "warning");
    expect(status).toBe(0);
    expect(report).toMatch(new RegExp(`\\n0 errors, 0 warnings, ${marks} notes in 1 file\\n$`));
    const settled = text.replaceAll(/^ *# draft:.*\n/gm, "");
    writeFileSync(join(copy, "rules/social/key-market.yaml"), settled);
    expect(await run("rules/social/key-market.yaml")).toMatchObject({
      code: 0,
      stdout: "0 errors, 0 warnings in 1 file\n",
    });
  });

  it("uses the signatures that other files know, and puts the file where its action belongs", async () => {
    const { code, stdout } = await run("new", "some-router", "--tx", swap);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^drafted rules\/dex\/some-router.yaml: /)]);
    const text = readFileSync(join(copy, "rules/dex/some-router.yaml"), "utf8");
    expect(text).toContain('abi:\n  swapExactTokensForETH: "function swapExactTokensForETH(uint256 amountIn,');
    expect(text).toContain(
      "    action: swap\n    call: swapExactTokensForETH\n    at: router\n    flow: { gives: some fungible, gets: some fungible }",
    );
    expect(await run("rules/dex/some-router.yaml", "--fail-on", "warning")).toMatchObject({ code: 0 });
    const forged = await run("--mutate", "rules/dex/some-router.yaml");
    expect(forged.stdout).toContain("foreign-emitter   100.0 %");
  });

  it("takes a router that was called for the protocol, not the pools that it used", async () => {
    const { code, stdout } = await run("new", "sea-swap", "--tx", aggregated, "--family", "aggregators");
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^drafted rules\/aggregators\/sea-swap.yaml: call any at router /),
    ]);
    const text = readFileSync(join(copy, "rules/aggregators/sea-swap.yaml"), "utf8");
    expect(text).toContain("  router:\n    source: ");
    expect(text).toMatch(/# draft: 0x7fe91f69aDf6151a38e206a293F1935d8e562721 \(pool\) emitted 1; list it/);
  });

  it("tells a mint from a sale, and shows the arguments with the captures that print them", async () => {
    const abi = join(copy, "minter.json");
    const inputs = ["saleTermsId", "tokenQuantity"].map((name) => ({ name, type: "uint256" }));
    inputs.push(...["tokenRecipient", "referrer"].map((name) => ({ name, type: "address" })));
    const odd = { type: "event", name: "Odd", inputs: [{ name: "x", type: "fixed128x18" }] };
    writeFileSync(abi, JSON.stringify({ abi: [odd, { type: "function", name: "mintFromFixedPriceSale", inputs }] }));
    const { code, stdout } = await run("new", "mint-club-of-ours", "--tx", mint, "--abi", abi);
    expect([code, stdout]).toEqual([0, expect.stringContaining("call mintFromFixedPriceSale at minter is nft_mint")]);
    const text = readFileSync(join(copy, "rules/nft/mint-club-of-ours.yaml"), "utf8");
    expect(text).toContain("  - id: mint\n");
    expect(text).toContain(
      "# draft: args.saleTermsId was 481; to print it, capture sale_terms_id: { number: args.saleTermsId }",
    );
    expect(text).toContain("# draft: args.tokenRecipient was the subject\n");
    expect(text).toContain("    attempts: mintFromFixedPriceSale\n");
    expect(await run("rules/nft/mint-club-of-ours.yaml")).toMatchObject({ code: 0 });
  });

  it("binds the movement that an event states, and says who", async () => {
    const abi = join(copy, "escrow.txt");
    writeFileSync(
      abi,
      "event UserCheckpoint(uint8 indexed actionType, address indexed provider, uint256 indexed locktime, uint256 value);\nfunction createLock(uint128 value, uint256 unlockTime)\n",
    );
    const { code, stdout } = await run("new", "extra-lock", "--tx", lock, "--abi", abi);
    expect([code, stdout]).toEqual([0, expect.stringContaining("event UserCheckpoint at staking is stake")]);
    const text = readFileSync(join(copy, "rules/yield/extra-lock.yaml"), "utf8");
    expect(text).toContain("    who: args.provider\n    flow: { gives: any, gets: any }\n    legs:\n");
    expect(text).toContain("      paid: { from: subject, to: staking, amount: args.value, standards: [erc20] }\n");
    expect(text).toContain("      paid: { amount: args.value, of: legs.paid.token }\n");
    expect(text).toContain("capture locktime: { time: args.locktime }");
    const { stdout: forged } = await run("--mutate", "rules/yield/extra-lock.yaml");
    expect(forged).toMatch(/^all +100\.0 %/m);
    rmSync(join(copy, "rules/yield/extra-lock.yaml"));
  });

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
    expect(text).toContain("    call: createLock\n    at: voting_escrow\n");
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
    expect(text).toContain('    does: "stake {gives} on {protocol}"');
    expect(text.match(/\b(?:entry|payment)$/gm)).toBeNull();
    rmSync(join(copy, "rules/yield/ve-lock.yaml"));
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

  it("has a page of help", async () => {
    const { code, stdout, stderr } = await run("new", "--help");
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^usage: +rule-lint new <protocol> --tx HASH/);
    expect(stdout).toContain("--abi FILE");
  });

  it.each([
    [["degen", "--tx", sale], 2, "rules/rewards/degen.yaml is there already"],
    [["Degen", "--tx", sale], 2, '"Degen" is no protocol id'],
    [["one", "--tx", "0x12"], 2, "--tx expects 0x followed by 64 hex digits"],
    [["one", "--tx", sale, "--family", "nowhere"], 2, "--family is one of accounts, aggregators, "],
    [["one", "two", "--tx", sale], 2, "expected one protocol id"],
    [["one", "--tx", sale, "--colour"], 2, "there is no option --colour here"],
    [["one", "--tx", hashOf(77)], 2, "rule-lint: "],
    [["one", "--tx", sale, "--abi", "none.json"], 2, "none.json: ENOENT"],
    [["one", "--tx", sale, "--abi", join(root, "LICENSE")], 2, "expected a JSON ABI, or lines that begin with"],
    [["one", "--tx", sale, "--abi", join(root, "package.json")], 2, "the JSON holds no function and no event"],
    [["one", "--tx", sale, "--role", "My Role"], 2, '"My Role" is no role'],
    [["one", "--tx", sale, "--action", "swop"], 2, 'no action "swop"; did you mean swap?'],
    [["one", "--tx", reverted], 1, "the transaction reverted"],
  ])("writes nothing for %j", async (args, status, message) => {
    const { code, stdout, stderr } = await run("new", ...args);
    expect([code, stdout]).toEqual([status, ""]);
    expect(stderr).toContain(message);
    expect(existsSync(join(copy, "rules/social/one.yaml"))).toBe(false);
  });

  it("drafts a rule from a message that an application asks to sign", async () => {
    const typed = {
      types: {
        Vote: [
          { name: "voter", type: "address" },
          { name: "space", type: "string" },
          { name: "choices", type: "Choice[]" },
          { name: "until", type: "uint64" },
        ],
        Choice: [{ name: "id", type: "uint256" }],
      },
      primaryType: "Vote",
      domain: { name: "Agora", chainId: 8453, verifyingContract: "0x1111111111111111111111111111111111111111" },
      message: { voter: `0x${"a1".repeat(20)}`, space: 'a "b"', choices: [{ id: "1" }], until: 1_798_934_400 },
    };
    writeFileSync(join(copy, "vote.json"), JSON.stringify(typed));
    const { code, stdout, stderr } = await run("new", "agora", "--message", "vote.json", "--family", "social");
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^drafted rules\/social\/agora.yaml: sign Vote is contract_interaction\n/);
    const text = readFileSync(join(copy, "rules/social/agora.yaml"), "utf8");
    expect(text).toContain(
      '"message Vote(address voter, string space, Choice[] choices, uint64 until) Choice(uint256 id)"',
    );
    expect(text).toContain("# draft: args.until was 1798934400; to print it, capture until: { time: args.until }");
    const checked = await run("rules/social/agora.yaml", "--fail-on", "warning");
    expect([checked.code, checked.stdout.trimEnd().split("\n").at(-1)]).toEqual([
      0,
      "0 errors, 0 warnings, 10 notes in 1 file",
    ]);
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
