import { describe, expect, it } from "vitest";
import type { CaseFile } from "../../../src/model/case-file.ts";
import { readTypedData } from "../../../src/rules/typed-data/typed-data.ts";
import { draftRules } from "../../../src/tools/lint/scaffold/draft.ts";
import { fileText } from "../../../src/tools/lint/scaffold/file-text.ts";
import { messageFileText } from "../../../src/tools/lint/scaffold/message-text.ts";
import type { Survey } from "../../../src/tools/lint/scaffold/survey.ts";
import {
  address,
  both,
  called,
  change,
  contractOf,
  ether,
  flowOf,
  known,
  logged,
  move,
  other,
  paid,
  paidLog,
  pay,
  pool,
  subject,
  surveyOf,
  token,
  word,
} from "./survey-of.ts";

const hash = `0x${"12".repeat(32)}`;
const written = (survey: Survey) =>
  fileText("key-market", draftRules(survey)[0] as never, survey, { caseFile: { tx_hash: hash } as CaseFile });

describe("a drafted file", () => {
  it("tells what a person has to look at", () => {
    const unknown = logged([`0x${word("99")}`, `0x${word("1")}`], "0x1234");
    const bare = logged([], "0x");
    const survey = surveyOf([
      contractOf({ calls: [pay, called("0x12345678")], logs: [paidLog, unknown, unknown, bare], source: "a server" }),
      contractOf({ role: "router", address: other, calls: [called("0x87654321", known("function route()"))] }),
      contractOf({ role: "pool_2", address: token, logs: [unknown], calls: [called("0x11223344")] }),
    ]);
    expect(written(survey)).toMatchInlineSnapshot(`
      "# yaml-language-server: $schema=../../schemas/rule.schema.json
      protocol: key-market
      # draft: the name as sentences shall say it, and the protocol's own page.
      name: Key Market
      kind: protocol
      site: https://basescan.org/address/0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB
      contracts:
        # draft: cite where the protocol publishes this address, and find a role that says what the contract does.
        # draft: its source code is published at a server.
        desk:
          source: tx:0x1212121212121212121212121212121212121212121212121212121212121212
          "Key Market desk": "0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB"
        # draft: 0xDDdDddDdDdddDDddDDddDDDDdDdDDdDDdDDDDDDd (router) was called; list it if it is the protocol's own.
        # draft: 0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC (pool_2) was called and emitted 1; list it if it is the protocol's own.
      abi:
        Paid: "event Paid(address indexed by, address token, uint256 amount, uint256 unlockTime, string note, bytes data)"
        pay: "function pay(address to, uint256 amount)"
        # draft: perhaps route: "function route()" (rules/x.yaml)
        # draft: nobody told the signature of call 0x12345678; with the contract's ABI, --abi FILE names it.
        # draft: nobody told the signature of event 0x0000000000000000000000000000000000000000000000000000000000000099 (1 indexed, 2 bytes of data); with the contract's ABI, --abi FILE names it.
        # draft: nobody told the signature of event without a topic (0 indexed, 0 bytes of data); with the contract's ABI, --abi FILE names it.
      rules:
        # draft: the id, for ever; what this rule means, not how the contract calls it.
        - id: payment
          # draft: the action of rules/actions.yaml that fits; with this money flow: stake, lending_supply, lending_repay, add_liquidity, bridge_out, payment. Or draft anew with --action.
          action: payment
          anchor: { event: Paid }
          at: desk
          subject: by
          money: { gives: some fungible, gets: any }
          # draft: by was the subject
          # draft: token was 0xcccccccccccccccccccccccccccccccccccccccc; {token} prints it
          # draft: amount was 5; {amount as count} prints it
          # draft: unlockTime was 1800000000; {unlockTime as time} prints it
          # draft: note was h?; {note} prints it
          # draft: the sentence, in base form, with what a reader wants to know; [ ] around what may be missing.
          say: "pay {gives} through {protocol}"
          tried: pay
          example: { tx: "0x1212121212121212121212121212121212121212121212121212121212121212" }
      "
    `);
  });

  it("of a call with ether in it", () => {
    const survey = surveyOf([contractOf({ calls: [pay], label: 'The "Desk"' })], {
      flow: flowOf([ether], [], { complete: false }),
      movements: [move(subject, pool, 5n, { token: null })],
    });
    expect(written(survey)).toMatchInlineSnapshot(`
      "# yaml-language-server: $schema=../../schemas/rule.schema.json
      protocol: key-market
      # draft: the name as sentences shall say it, and the protocol's own page.
      name: Key Market
      kind: protocol
      site: https://basescan.org/address/0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB
      contracts:
        # draft: cite where the protocol publishes this address, and find a role that says what the contract does.
        desk:
          source: tx:0x1212121212121212121212121212121212121212121212121212121212121212
          "The \\"Desk\\"": "0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB"
      abi:
        pay: "function pay(address to, uint256 amount)"
      rules:
        # draft: the id, for ever; what this rule means, not how the contract calls it.
        - id: payment
          # draft: the action of rules/actions.yaml that fits; with this money flow: stake, lending_supply, lending_repay, add_liquidity, bridge_out, payment. Or draft anew with --action.
          action: payment
          # draft: no call tree was recorded, so ether may have moved unseen; the side that shows nothing is left open.
          anchor: { call: pay }
          at: desk
          # draft: here it was ether; where tokens may take its place, a rule of their own, or \`gives\` instead of the leg.
          money:
            paid: { token: native, from: subject, to: desk, amount: amount }
            rest: any
          # draft: to was 0xdddddddddddddddddddddddddddddddddddddddd; {to} prints it
          # draft: the sentence, in base form, with what a reader wants to know; [ ] around what may be missing.
          say: "pay {paid} through {protocol}"
          tried: same
          example: { tx: "0x1212121212121212121212121212121212121212121212121212121212121212" }
      "
    `);
  });

  it("of a call that nobody knows has no ABI, and shows six other contracts", () => {
    const others = Array.from({ length: 8 }, (_, i) =>
      contractOf({ role: `other_${i}`, address: address(String(i + 1)) }),
    );
    const text = written(surveyOf([contractOf({ calls: [called("0x12345678")] }), ...others], { flow: both }));
    expect(text).not.toContain("abi:");
    expect(text).not.toContain("prints it");
    expect(text).not.toContain("unseen");
    expect([...text.matchAll(/\((other_\d)\)/g)].map(([, role]) => role)).toEqual(
      [0, 1, 2, 3, 4, 5].map((i) => `other_${i}`),
    );
  });

  it("of a message shows its values", () => {
    const data = (verifyingContract?: string) =>
      readTypedData({
        types: {
          Vote: [
            { name: "voter", type: "address" },
            { name: "space", type: "string" },
            { name: "choices", type: "Choice[]" },
            { name: "first", type: "Choice" },
            { name: "until", type: "uint64" },
            { name: "key", type: "bytes32" },
          ],
          Choice: [{ name: "id", type: "uint256" }],
        },
        primaryType: "Vote",
        domain:
          verifyingContract === undefined ? { name: "Agora" } : { version: "2", verifyingContract, chainId: 8453 },
        message: {
          ...{ voter: subject, space: `é${"x".repeat(60)}`, choices: [{ id: "1" }], first: { id: 2 } },
          ...{ until: 1_798_934_400, key: hash },
        },
      });
    const unnamed = readTypedData({
      ...{ types: { Note: [{ name: "text", type: "string" }] }, primaryType: "Note" },
      ...{ domain: { version: "1" }, message: { text: "x" } },
    });
    expect(messageFileText("note", unnamed, "governance")).toContain('domain: {"name":"","version":"1"}\n');
    expect(messageFileText("agora-vote", data(), "governance")).toMatchInlineSnapshot(`
      "# yaml-language-server: $schema=../../schemas/rule.schema.json
      protocol: agora-vote
      # draft: the name as sentences shall say it, and the protocol's own page.
      name: Agora Vote
      kind: protocol
      site: https://example.org
      abi:
        Vote: "message Vote(address voter, string space, Choice[] choices, Choice first, uint64 until, bytes32 key) Choice(uint256 id)"
      messages:
        # draft: the id, for ever; what this rule means.
        - id: sign-vote
          message: Vote
          domain: {"name":"Agora"}
          # draft: the action of rules/actions.yaml that fits.
          action: governance
          # draft: what it allows (\`allows\`), gives and asks for (\`gives\`, \`gets\`), and the call that it carries (\`carries\`), if any.
          # draft: voter was 0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; {voter} prints it
          # draft: space was ?xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; {space} prints it
          # draft: first.id was 2; {first.id as id} prints it
          # draft: until was 1798934400; {until as time} prints it
          # draft: key was 0x1212121212121212121212121212121212121212121212
          # draft: the sentence, in base form, with what a reader wants to know; [ ] around what may be missing.
          say: "sign a message of {protocol}"
          example: { message: {"voter":"0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","space":"éxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx","choices":[{"id":"1"}],"first":{"id":"2"},"until":"1798934400","key":"0x1212121212121212121212121212121212121212121212121212121212121212"} }
      "
    `);
    const [, verified = ""] = messageFileText("agora-vote", data(pool), "governance").split("site: ");
    expect(verified.split("# draft: the action")[0]).toMatchInlineSnapshot(`
      "https://basescan.org/address/0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB
      contracts:
        # draft: cite where the protocol publishes this address, and find a role that says what the contract does.
        verifier:
          source: "unverified: the verifyingContract of a message that somebody handed over"
          Agora Vote verifier: "0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB"
      abi:
        Vote: "message Vote(address voter, string space, Choice[] choices, Choice first, uint64 until, bytes32 key) Choice(uint256 id)"
      messages:
        # draft: the id, for ever; what this rule means.
        - id: sign-vote
          message: Vote
          at: verifier
          "
    `);
  });

  it("says that ether may have moved unseen where one side shows nothing", () => {
    const says = (flow: Survey["flow"]) =>
      written(surveyOf([contractOf({ calls: [pay] })], { flow })).includes("ether may have moved unseen");
    const [one, two] = [[ether], [ether, change("erc20")]];
    const partial = (gives: typeof one, gets: typeof one) => says(flowOf(gives, gets, { complete: false }));
    expect([partial(one, one), partial(two, one), partial(one, two)]).toEqual([false, false, false]);
    expect([partial([], []), partial(one, []), partial([], one)]).toEqual([true, true, true]);
    expect([says(flowOf([], [])), says(flowOf(one, []))]).toEqual([false, false]);
  });

  it("names what other contracts emitted, and prints no value that sentences cannot show", () => {
    const keyed = known("function keyed(bytes32 key, string note)");
    const key = `${"12".repeat(32)}${word("40")}${word("32")}${"78".repeat(50)}${"00".repeat(14)}`;
    const emitter = contractOf({ role: "far", address: other, logs: [paidLog] });
    const text = written(surveyOf([contractOf({ calls: [called(`${keyed.item.hash}${key}`, keyed)] }), emitter]));
    const lines = text.split("\n").map((line) => line.trim());
    expect(lines.filter((line) => /\(far\)|perhaps|(?:key|note) was/.test(line))).toEqual([
      `# draft: ${"0xDDdDddDdDdddDDddDDddDDDDdDdDDdDDdDDDDDDd"} (far) emitted 1; list it if it is the protocol's own.`,
      `# draft: perhaps Paid: ${JSON.stringify(paid)} (rules/x.yaml)`,
      `# draft: key was 0x${"12".repeat(23)}`,
      `# draft: note was ${"x".repeat(48)}; {note} prints it`,
    ]);
  });
});
