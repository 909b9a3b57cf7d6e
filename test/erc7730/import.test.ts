import { symlinkSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { formatReport } from "../../src/erc7730/finding.ts";
import { type Import, importDescriptors, type Known } from "../../src/erc7730/import.ts";
import { lint } from "../../src/lint/lint.ts";
import { findSources } from "../../src/lint/sources.ts";
import type { RuleDocument } from "../../src/ruleset/rule-document.ts";
import { noRecordings } from "../lint/lint-text.ts";
import { root } from "../support/shared.ts";
import { descriptorOf, vault, writeFolder } from "./descriptor-folder.ts";

const unknown: Known = { nameOf: () => undefined, tells: () => false };

function run(files: Record<string, unknown>, name?: string): Import {
  const dir = writeFolder(files);
  return importDescriptors(name === undefined ? dir : join(dir, name), unknown);
}

function runOne(formats: unknown, more: Record<string, unknown> = {}): Import {
  return run({ "calldata-vault.json": descriptorOf(formats, more) }, "calldata-vault.json");
}

function documentOf(made: Import): RuleDocument {
  return parse(made.files[0]?.text ?? "") as RuleDocument;
}

function summaryOf(made: Import, id: string): string | undefined {
  return documentOf(made).rules?.find((rule) => rule.id === id)?.summary;
}

function reasons(made: Import): string[] {
  return made.findings.map(({ place, reason }) => `${place}: ${reason}`);
}

/** Lints what was made beside all rules that ship. */
function lintBeside({ files }: Import): string[] {
  const shipped = findSources([join(root, "rules"), join(root, "labels")]);
  const rules = files.map(({ slug, text }) => ({ file: `rules/intents/${slug}.yaml`, text }));
  const wanted = new Set(rules.map(({ file }) => file));
  const { diagnostics } = lint({ ...shipped, rules: [...shipped.rules, ...rules], wanted }, noRecordings);
  return diagnostics.map(({ code, file, range, message }) => `${file}:${range.start.line} ${code} ${message}`);
}

const rich = {
  "deposit((address asset,uint256 amount,address[] hops,bytes route) order,uint64 until)": {
    intent: "Deposit ETH Into the Vault",
    fields: [
      {
        path: "order",
        fields: [
          { path: "amount", label: "Supplied", format: "tokenAmount", params: { tokenPath: "order.hops.[-1]" } },
        ],
      },
      { path: "#.until", label: "End Time", format: "date", params: { encoding: "timestamp" } },
    ],
  },
  "route(bytes path,uint256 amount)": {
    intent: "Route",
    fields: [{ path: "amount", label: "Amount", format: "tokenAmount", params: { tokenPath: "path.[-20:]" } }],
  },
  "setKeeper(address keeper)": {
    intent: "Set keeper",
    fields: [{ path: "keeper", label: "Keeper", format: "addressName" }],
  },
  "setRound(uint256 n)": { intent: "Set the Round", fields: [{ path: "n", label: "Round", format: "raw" }] },
  "pay()": { intent: "Pay", fields: [{ path: "@.value", label: "Sum", format: "amount" }] },
  "withdraw(uint256,address)": { intent: "Withdraw" },
  "withdraw(uint256 amount)": { intent: "Withdraw everything" },
};

describe("an ERC-7730 descriptor", () => {
  it("becomes a rule file that lints clean beside all rules, examples included", () => {
    const made = runOne(rich);
    expect(reasons(made)).toEqual([]);
    expect(lintBeside(made)).toEqual([]);
    expect(made.files.map(({ slug }) => slug)).toEqual(["erc7730-vault"]);
  }, 60_000);

  it("only ever says that a contract was called, yields, and names no protocol", () => {
    const { kind, rules = [], name } = documentOf(runOne(rich));
    expect([kind, name]).toEqual(["standard", undefined]);
    expect(rules.length).toBeGreaterThan(30);
    expect(new Set(rules.map((rule) => `${rule.action} ${rule.yields} ${rule.at}`))).toEqual(
      new Set(["contract_interaction true contract"]),
    );
    expect(rules.filter(({ summary }) => summary.includes("{protocol}"))).toEqual([]);
  });

  it("tells intent, fields, movements and attempts", () => {
    const made = runOne(rich);
    expect(summaryOf(made, "deposit-detailed")).toBe(
      "{subject} called {contract} to deposit ETH into the vault, with supplied {field_1} and end time {field_2}",
    );
    expect(summaryOf(made, "deposit-giving")).toBe(
      "{subject} called {contract} to deposit ETH into the vault, giving {gives}",
    );
    expect(summaryOf(made, "set-round-attempt")).toBe(
      "{subject} tried to call {contract} to set the round, with round {field_1}",
    );
    const { rules = [], abi } = documentOf(made);
    expect(rules.find(({ id }) => id === "deposit-detailed")?.capture).toEqual({
      field_1: { amount: "args.order.amount", of: "args.order.hops.-1" },
      field_2: { time: "args.until" },
    });
    expect(rules.find(({ id }) => id === "pay-attempt-detailed")?.capture).toEqual({
      field_1: { amount: "call.value", of: "native" },
    });
    expect(rules.find(({ id }) => id === "route-detailed")?.capture).toEqual({
      field_1: { amount: "args.amount", of: "args.path.addressAt.-20" },
    });
    expect(abi?.withdraw).toBe("function withdraw(uint256 arg0, address arg1)");
    expect(abi?.withdraw2).toBe("function withdraw(uint256 amount)");
  });

  it("takes names and selectors from the ABI that it holds", () => {
    const abi = [
      { type: "function", name: "poke", inputs: [{ name: "who", type: "address" }] },
      {
        type: "function",
        name: "open",
        inputs: [{ name: "order", type: "tuple", components: [{ name: "size", type: "uint256" }] }],
      },
    ];
    const context = { contract: { deployments: [{ chainId: 8453, address: vault }], abi } };
    const made = runOne(
      {
        "poke(address)": { intent: "Poke", fields: [{ path: "who", label: "Whom", format: "addressName" }] },
        "0xcacb14bb": { intent: "Open" },
        "open((uint256))": { intent: "Open an order" },
      },
      { context },
    );
    expect(documentOf(made).abi).toEqual({
      poke: "function poke(address who)",
      open: "function open((uint256 size) order)",
    });
    expect(reasons(made)).toEqual(["0xcacb14bb: a selector whose signature the descriptor does not hold"]);
  });

  it("is merged with what it includes, and decides", () => {
    const approve = (fields: unknown[], intent?: string) => ({
      "approve(address spender,uint256 value)": { intent, fields },
    });
    const made = run(
      {
        "vault.json": descriptorOf(approve([{ path: "spender", label: "Whom" }]), { includes: "./base.json" }),
        "base.json": {
          display: { formats: approve([{ path: "spender", label: "Spender", format: "addressName" }], "Approve") },
        },
      },
      "vault.json",
    );
    expect(reasons(made)).toEqual([]);
    expect(summaryOf(made, "approve-detailed")).toBe("{subject} called {contract} to approve, with whom {field_1}");
  });

  it("uses definitions by reference", () => {
    const display = {
      definitions: { sum: { label: "Sum", format: "tokenAmount", params: { tokenPath: "@.to" } } },
      formats: { "burn(uint256 n)": { intent: "Burn", fields: [{ path: "n", $ref: "$.display.definitions.sum" }] } },
    };
    const made = runOne({}, { display });
    expect(documentOf(made).rules?.[0]?.capture).toEqual({ field_1: { amount: "args.n", of: "call.to" } });
  });

  it("leaves known addresses the names that they have", () => {
    const dir = writeFolder({ "vault.json": descriptorOf({ "poke()": { intent: "Poke" } }) });
    const made = importDescriptors(dir, {
      ...unknown,
      nameOf: (address) => ((address as string) === vault ? "Known Vault" : undefined),
    });
    expect(documentOf(made).contracts?.contract?.[0]?.label).toBe("Known Vault");
  });
});

describe("what cannot be expressed", () => {
  it("is listed with its reason", () => {
    const field = (path: string, more: object) => ({ path, label: "Value", ...more });
    const made = runOne({
      "f(uint256 a,address b,uint256[] c,bytes d,string e)": {
        intent: "Do",
        fields: [
          field("a", { format: "unit" }),
          field("a", { format: "tokenAmount" }),
          field("a", { format: "tokenAmount", params: { token: vault } }),
          field("a", { format: "date", params: { encoding: "blockheight" } }),
          field("c.[]", { format: "raw" }),
          field("c.[5]", { format: "raw" }),
          field("e", { format: "raw" }),
          field("nowhere", { format: "raw" }),
          field("$.metadata.owner", { format: "raw" }),
          field("a", { format: "raw", visible: "never" }),
          { label: "Fixed", value: "1", format: "raw" },
          { path: "a", label: "\u0007", format: "raw" },
          { $ref: "$.display.definitions.gone" },
          { $ref: "$.metadata.owner" },
          7,
          field("a", { format: "raw" }),
          field("b", { format: "addressName" }),
          field("c.[0]", { format: "raw" }),
        ],
      },
      "g(uint256 a)": { fields: [] },
      "h(": { intent: "Half" },
      "i(uint256 a, mystery b)": { intent: "Odd" },
      "j(uint256[900] a)": { intent: "Long" },
    });
    expect(reasons(made)).toMatchInlineSnapshot(`
      [
        "f $.display.definitions.gone: a reference to a definition that is not there",
        "f $.metadata.owner: a reference to something else than a definition",
        "f: a field that is no object",
        "f a: the format unit cannot be expressed",
        "f a: an amount without the path of its token",
        "f a: an amount of a constant token",
        "f a: a date by block height",
        "f c.[]: every element of an array",
        "f c.[5]: a path with a slice or an index that cannot be expressed",
        "f e: a value of another type than its format needs",
        "f nowhere: a path that the signature does not have",
        "f $.metadata.owner: a path that does not lead into the call",
        "f a: a field that is never shown",
        "f Fixed: a constant value instead of a path",
        "f a: a label that is not short, plain, printable ASCII text",
        "f c.[0]: more than 2 fields for one sentence",
        "g(uint256 a): a function without an intent",
        "h(: a key that is neither a signature nor a selector",
        "i(uint256 a, mystery b): a signature that does not parse",
        "j(uint256[900]): a signature with too many values for an example",
      ]
    `);
    expect(lintBeside(made)).toEqual([]);
  }, 60_000);

  it("includes other chains, messages and includes from elsewhere", () => {
    const made = run({
      "a-mainnet.json": descriptorOf(
        { "f()": { intent: "Do" } },
        {
          context: { contract: { deployments: [{ chainId: 1, address: vault }] } },
        },
      ),
      "b-message.json": { context: { eip712: {} }, display: { formats: {} } },
      "c-far.json": descriptorOf({}, { includes: "https://example.org/x.json" }),
      "d-up.json": descriptorOf({}, { includes: "../x.json" }),
      "e-gone.json": descriptorOf({}, { includes: "gone.json" }),
      "f-elsewhere-abi.json": descriptorOf(
        {},
        {
          context: { contract: { deployments: [{ chainId: 8453, address: vault }], abi: "https://example.org/abi" } },
        },
      ),
      "sub/g-nothing.json": {},
    });
    expect(made.files).toEqual([]);
    expect(made.findings).toMatchInlineSnapshot(`
      [
        {
          "file": "a-mainnet.json",
          "place": "context.contract.deployments",
          "reason": "no deployment on chain 8453",
        },
        {
          "file": "b-message.json",
          "place": "context",
          "reason": "an EIP-712 descriptor: signed messages are no calls",
        },
        {
          "file": "c-far.json",
          "place": "includes https://example.org/x.json",
          "reason": "an include outside of the descriptor's folder is not read",
        },
        {
          "file": "d-up.json",
          "place": "includes ../x.json",
          "reason": "an include outside of the descriptor's folder is not read",
        },
        {
          "file": "e-gone.json",
          "place": "includes gone.json",
          "reason": "the included file is not there",
        },
        {
          "file": "f-elsewhere-abi.json",
          "place": "context.contract.abi",
          "reason": "an ABI elsewhere is not fetched",
        },
        {
          "file": "sub/g-nothing.json",
          "place": "context",
          "reason": "no contract",
        },
      ]
    `);
    expect(formatReport(made.findings, { files: 0, rules: 0 })).toContain("0 rules in 0 files; 7 parts left out\n");
  });
});

describe("a hostile descriptor", () => {
  it("gives a report and no text of its own", () => {
    const intents = [
      "Do\u0000it",
      "a\u202eb",
      "<b>Do</b>",
      "{protocol} swap",
      'Say "hi"',
      "x".repeat(1_000_000),
      "Visit www.evil",
      { a: 1 },
    ];
    const formats = Object.fromEntries(intents.map((intent, i) => [`f${i}(uint256 a)`, { intent }]));
    const made = runOne(formats);
    expect(made.files).toEqual([]);
    expect(new Set(made.findings.map(({ reason }) => reason))).toEqual(
      new Set(["an intent that is not short, plain, printable ASCII text"]),
    );
    expect(made.findings).toHaveLength(intents.length);
  });

  it("cannot bring the run down with circles, depth, size or wrong addresses", () => {
    const turning = { a: { $ref: "$.display.definitions.b" }, b: { $ref: "$.display.definitions.a" } };
    const addresses = ["0x12", 5, `0x${"0".repeat(40)}`, "0xAbcdefabcdefabcdefabcdefabcdefabcdefabcd"];
    const made = run({
      "a.json": descriptorOf({ "f()": { intent: "Do" } }, { includes: "b.json" }),
      "b.json": { includes: "a.json", display: {} },
      "c.json": `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`,
      "d.json": `{"context": "${"x".repeat(2_100_000)}"}`,
      "e.json": "not json",
      "f.json": descriptorOf(
        {},
        {
          display: { definitions: turning, formats: { "turn(uint256 a)": { intent: "Do", fields: [turning.a] } } },
        },
      ),
      "g.json": descriptorOf(
        { "f()": { intent: "Do" } },
        {
          context: { contract: { deployments: addresses.map((address) => ({ chainId: 8453, address })) } },
        },
      ),
      "h.json": '{"__proto__": {"context": 1}, "display": {"formats": {"__proto__": {"intent": "Do"}}}}',
      "i\nj.json": "[]",
      "k.json": descriptorOf(
        { "f()": { intent: "Do" } },
        {
          metadata: { owner: "\u001b[31m" },
          context: {
            contract: { deployments: [{ chainId: 8453, address: vault }] },
          },
        },
      ),
    });
    expect(made.files.map(({ slug }) => slug)).toEqual(["erc7730-a", "erc7730-f"]);
    expect(made.findings).toMatchInlineSnapshot(`
      [
        {
          "file": "a.json",
          "place": "includes a.json",
          "reason": "includes go in a circle",
        },
        {
          "file": "b.json",
          "place": "includes b.json",
          "reason": "includes go in a circle",
        },
        {
          "file": "b.json",
          "place": "f",
          "reason": "a function of a contract that an earlier descriptor tells",
        },
        {
          "file": "c.json",
          "place": "",
          "reason": "the file nests deeper than 48 levels",
        },
        {
          "file": "d.json",
          "place": "",
          "reason": "the file has more than 2000000 bytes",
        },
        {
          "file": "e.json",
          "place": "",
          "reason": "the file is not JSON",
        },
        {
          "file": "f.json",
          "place": "turn $.display.definitions.b",
          "reason": "references that go in a circle",
        },
        {
          "file": "g.json",
          "place": "0x12",
          "reason": "an address that is none",
        },
        {
          "file": "g.json",
          "place": "5",
          "reason": "an address that is none",
        },
        {
          "file": "g.json",
          "place": "0x0000000000000000000000000000000000000000",
          "reason": "an address that is none",
        },
        {
          "file": "g.json",
          "place": "0xAbcdefabcdefabcdefabcdefabcdefabcdefabcd",
          "reason": "an address with a wrong checksum",
        },
        {
          "file": "h.json",
          "place": "context",
          "reason": "no contract: a file that others include",
        },
        {
          "file": "i
      j.json",
          "place": "",
          "reason": "the file is not a JSON object",
        },
        {
          "file": "k.json",
          "place": "metadata",
          "reason": "no contract name that is short, plain, printable ASCII text",
        },
      ]
    `);
    expect(formatReport(made.findings, { files: 2, rules: 10 })).toMatch(/^[\x20-\x7e\n]*$/);
    expect(lintBeside(made)).toEqual([]);
  }, 60_000);

  it("cannot lead out of its folder by a link", () => {
    const outside = writeFolder({ "secret.json": { display: { formats: { "f()": { intent: "Leak" } } } } });
    const dir = writeFolder({ "vault.json": descriptorOf({}, { includes: "link.json" }) });
    symlinkSync(join(outside, "secret.json"), join(dir, "link.json"));
    const made = importDescriptors(join(dir, "vault.json"), unknown);
    expect(made.files).toEqual([]);
    expect(reasons(made)).toEqual(["includes link.json: an include outside of the descriptor's folder is not read"]);
  });

  it("never throws and never prints what is not plain, whatever the JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.string({ unit: "binary" }), (value, text) => {
        const formats = { "f(uint256 a)": { intent: text, fields: [value] }, [text]: { intent: "Do", fields: value } };
        const made = runOne(formats, { metadata: value, includes: undefined });
        expect(made.files.map((file) => file.text).join("")).toMatch(/^[\x20-\x7e\n]*$/);
        expect(formatReport(made.findings, { files: 0, rules: 0 })).toMatch(/^[\x20-\x7e\n]*$/);
      }),
      { numRuns: 60 },
    );
  });
});

describe("imports", () => {
  it("are the same bytes every time, and tell each function of a contract once", () => {
    const other = { context: { contract: { deployments: [{ chainId: 8453, address: `0x${"3".repeat(40)}` }] } } };
    const dir = writeFolder({
      "a/b.json": descriptorOf(rich),
      "b.json": descriptorOf(rich, other),
      "c.json": descriptorOf({ "pay()": { intent: "Pay" } }),
    });
    const [one, again] = [0, 1].map(() => importDescriptors(dir, unknown));
    expect(one).toEqual(again);
    expect(one?.files.map(({ slug }) => slug)).toEqual(["erc7730-b", "erc7730-b-2"]);
    expect(one?.findings).toEqual([
      { file: "c.json", place: "pay", reason: "a function of a contract that an earlier descriptor tells" },
    ]);
  });
});
