import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hashOf } from "../../support/sample.ts";
import { root } from "../../support/shared.ts";
import { lock, openRuleCopy } from "./rule-copy.ts";

/**
 * Transactions of protocols for which the copy has no rules: a sale of keys, a swap, a swap by an aggregator, a mint, and one that
 * reverted.
 */
const sale = "0xe65bd7a2b955af8e663b2c42c88bef008b16f7bf9a403690a711fe22fe3a4bd6";
const swap = "0xcaefbd4ef9f6e3e4024ef4c30926b884884cbccd5293fc534d88c4a8cb2235fb";
const aggregated = "0xe45c138f3086f821c6598b24999c9cc0ca9ed95ecccc08b57f751d7146fd01ca";
const mint = "0x3c343875e0451c902102d5bf4ae68068acbc7aad1088eb1df47a244c933c6a6d";
const reverted = "0xed2d18166c6065fb2d28db26eca4d3546f96f3f59f246269afbbcb6b6f40d79e";

const { copy, run } = openRuleCopy();

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
      stdout: expect.stringMatching(/^The examples are told as\n.*\n\n0 errors, 0 warnings in 1 file\n$/),
    });
  });

  it("uses the signatures that other files know, and puts the file where its action belongs", async () => {
    const { code, stdout } = await run("new", "some-router", "--tx", swap);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^drafted rules\/dex\/some-router.yaml: /)]);
    const text = readFileSync(join(copy, "rules/dex/some-router.yaml"), "utf8");
    expect(text).toContain('abi:\n  swapExactTokensForETH: "function swapExactTokensForETH(uint256 amountIn,');
    expect(text).toContain(
      "    action: swap\n    anchor: { call: swapExactTokensForETH }\n    at: router\n    money: { gives: some fungible, gets: some fungible }",
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

  it("tells a mint from a sale, and shows the arguments with what prints them", async () => {
    const abi = join(copy, "minter.json");
    const inputs = ["saleTermsId", "tokenQuantity"].map((name) => ({ name, type: "uint256" }));
    inputs.push(...["tokenRecipient", "referrer"].map((name) => ({ name, type: "address" })));
    const odd = { type: "event", name: "Odd", inputs: [{ name: "x", type: "fixed128x18" }] };
    writeFileSync(abi, JSON.stringify({ abi: [odd, { type: "function", name: "mintFromFixedPriceSale", inputs }] }));
    const { code, stdout } = await run("new", "mint-club-of-ours", "--tx", mint, "--abi", abi);
    expect([code, stdout]).toEqual([0, expect.stringContaining("call mintFromFixedPriceSale at minter is nft_mint")]);
    const text = readFileSync(join(copy, "rules/nft/mint-club-of-ours.yaml"), "utf8");
    expect(text).toContain("  - id: mint\n");
    expect(text).toContain("# draft: saleTermsId was 481; {saleTermsId as id} prints it");
    expect(text).toContain("# draft: tokenRecipient was the subject\n");
    expect(text).toContain("    tried: same\n");
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
    expect(text).toContain("    subject: provider\n    money:\n");
    expect(text).toContain(
      "      paid: { from: subject, to: staking, amount: value, standards: [erc20] }\n      rest: any\n",
    );
    expect(text).toContain("; {locktime as time} prints it");
    const { stdout: forged } = await run("--mutate", "rules/yield/extra-lock.yaml");
    expect(forged).toMatch(/^all +100\.0 %/m);
    rmSync(join(copy, "rules/yield/extra-lock.yaml"));
  });

  it("leaves the whole set without errors", async () => {
    const { code, stdout } = await run("rules");
    expect(stdout).toMatch(/^0 errors, /m);
    expect(code).toBe(0);
  });

  it("has a page of help", async () => {
    const { code, stdout, stderr } = await run("new", "--help");
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^usage: +rule-lint new <protocol> \(--tx HASH \| --address ADDRESS \| --message FILE\)/);
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
    [["one", "--tx", sale, "--abi", "none.json"], 2, "there is no none.json"],
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
    expect(stdout).toMatch(/^drafted rules\/social\/agora.yaml: message Vote is contract_interaction\n/);
    const text = readFileSync(join(copy, "rules/social/agora.yaml"), "utf8");
    expect(text).toContain(
      '"message Vote(address voter, string space, Choice[] choices, uint64 until) Choice(uint256 id)"',
    );
    expect(text).toContain("# draft: until was 1798934400; {until as time} prints it");
    const checked = await run("rules/social/agora.yaml", "--fail-on", "warning");
    expect([checked.code, checked.stdout.trimEnd().split("\n").at(-1)]).toEqual([
      0,
      "0 errors, 0 warnings, 10 notes in 1 file",
    ]);
  });

  it("takes a transaction or a message, and says so where both are given", async () => {
    const { code, stdout, stderr } = await run("new", "both-ways", "--tx", sale, "--message", "vote.json");
    expect([code, stdout, stderr]).toEqual([
      2,
      "",
      "rule-lint: a rule is drafted from one of --tx, --address and --message (several_origins)\nrule-lint new --help says more.\n",
    ]);
  });
});
