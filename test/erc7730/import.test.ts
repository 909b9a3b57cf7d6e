import { symlinkSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { toFunctionSelector } from "viem";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { type Import, importDescriptors } from "../../src/erc7730/import.ts";
import { formatReport } from "../../src/erc7730/report.ts";
import type { RuleDocument } from "../../src/ruleset/document/rule-document.ts";
import { compileOwn } from "../support/own-rules.ts";
import { descriptorOf, noRules, vault, writeFolder } from "./descriptor-folder.ts";
import { lintBeside } from "./lint-beside.ts";

function run(files: Record<string, unknown>, name?: string): Import {
  const dir = writeFolder(files);
  return importDescriptors(name === undefined ? dir : join(dir, name), noRules);
}

function runOne(formats: unknown, more: Record<string, unknown> = {}): Import {
  return run({ "calldata-vault.json": descriptorOf(formats, more) }, "calldata-vault.json");
}

function documentOf(made: Import): RuleDocument {
  return parse(made.files[0]?.text ?? "") as RuleDocument;
}

function sentenceOf(made: Import, id: string): string | undefined {
  return documentOf(made).rules?.find((rule) => rule.id === id)?.does;
}

function reasons(made: Import): string[] {
  return made.findings.map(({ place, reason }) => `${place}: ${reason}`);
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
    expect(rules.length).toBeGreaterThan(20);
    expect(new Set(rules.map((rule) => `${rule.action} ${rule.yields} ${rule.at}`))).toEqual(
      new Set(["contract_interaction true contract"]),
    );
    expect(rules.filter(({ does }) => does.includes("{protocol}"))).toEqual([]);
  });

  it("tells intent, fields, movements and attempts", () => {
    const made = runOne(rich);
    expect(sentenceOf(made, "deposit")).toBe("call {contract} to deposit ETH into the vault[, with {fields}]");
    expect(sentenceOf(made, "deposit-giving")).toBe(
      "call {contract} to deposit ETH into the vault[, with {fields}], giving {gives}",
    );
    const { rules = [], abi } = documentOf(made);
    const attemptsOf = (id: string) => rules.find((rule) => rule.id === id)?.attempts;
    expect(attemptsOf("set-round")).toEqual([
      {
        call: "setRound",
        capture: { fields: { label: "round", integer: "args.n" } },
        does: "call {contract} to set the round[, with {fields}]",
      },
    ]);
    const captureOf = (id: string) => rules.find((rule) => rule.id === id)?.capture;
    const until = { label: "end time", time: "args.until", precision: "second" };
    const supplied = { label: "supplied", amount: "args.order.amount", of: "args.order.hops.-1" };
    expect(captureOf("deposit")).toEqual({ fields: [supplied, until] });
    // What moved is told as it moved.
    expect(captureOf("deposit-giving")).toEqual({ fields: until });
    expect(attemptsOf("pay")).toMatchObject([
      { capture: { fields: { label: "sum", amount: "call.value", of: "native" } } },
    ]);
    expect(captureOf("route")).toEqual({
      fields: { label: "amount", amount: "args.amount", of: "args.path.addressAt.-20" },
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
    expect(reasons(made)).toEqual([
      "/display/formats/0xcacb14bb: a selector whose signature the descriptor does not hold",
    ]);
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
    expect(sentenceOf(made, "approve")).toBe("call {contract} to approve[, with {fields}]");
    expect(documentOf(made).rules?.[0]?.capture).toEqual({ fields: { label: "whom", address: "args.spender" } });
  });

  it("uses definitions by reference", () => {
    const display = {
      definitions: { sum: { label: "Sum", format: "tokenAmount", params: { tokenPath: "@.to" } } },
      formats: { "burn(uint256 n)": { intent: "Burn", fields: [{ path: "n", $ref: "$.display.definitions.sum" }] } },
    };
    const made = runOne({}, { display });
    expect(documentOf(made).rules?.[0]?.capture).toEqual({
      fields: { label: "sum", amount: "args.n", of: "call.to" },
    });
  });

  it("leaves known addresses the names that they have", () => {
    const dir = writeFolder({ "vault.json": descriptorOf({ "poke()": { intent: "Poke" } }) });
    const made = importDescriptors(dir, {
      ...noRules,
      nameOf: (address) => ((address as string) === vault ? "Known Vault" : undefined),
    });
    expect(Object.values(documentOf(made).contracts?.contract ?? {})).toEqual(["Known Vault"]);
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
        "/display/formats/f(uint256 a,address b,uint256[] c,bytes d,string e)/fields/12/$ref: a reference to a definition that is not there",
        "/display/formats/f(uint256 a,address b,uint256[] c,bytes d,string e)/fields/13/$ref: a reference to something else than a definition",
        "/display/formats/f(uint256 a,address b,uint256[] c,bytes d,string e)/fields/14: a field that is no object",
        "/display/formats/f(uint256 a,address b,uint256[] c,bytes d,string e)/fields/7: a path that the signature does not have",
        "/display/formats/f(uint256 a,address b,uint256[] c,bytes d,string e)/fields/11/label: a label that is not short, plain, printable ASCII text",
        "/display/formats/g(uint256 a): a function without an intent",
        "/display/formats/h(: a key that is neither a signature nor a selector",
        "/display/formats/i(uint256 a, mystery b): a signature that does not parse",
        "/display/formats/j(uint256[900] a): a signature with too many values for an example",
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
          "place": "/context/contract/deployments",
          "reason": "no deployment on chain 8453: the descriptor is left out",
        },
        {
          "file": "b-message.json",
          "place": "/context/eip712",
          "reason": "no deployment on chain 8453: the descriptor is left out",
        },
        {
          "file": "c-far.json",
          "place": "/includes",
          "reason": "an include from elsewhere is not fetched",
        },
        {
          "file": "c-far.json",
          "place": "/display/formats",
          "reason": "no functions",
        },
        {
          "file": "d-up.json",
          "place": "/includes",
          "reason": "an include outside of the folder is not read: import the folder that holds both",
        },
        {
          "file": "d-up.json",
          "place": "/display/formats",
          "reason": "no functions",
        },
        {
          "file": "e-gone.json",
          "place": "/includes",
          "reason": "the included file is not there",
        },
        {
          "file": "e-gone.json",
          "place": "/display/formats",
          "reason": "no functions",
        },
        {
          "file": "f-elsewhere-abi.json",
          "place": "/display/formats",
          "reason": "no functions",
        },
        {
          "file": "f-elsewhere-abi.json",
          "place": "/context/contract/abi",
          "reason": "an ABI elsewhere is not fetched",
        },
        {
          "file": "sub/g-nothing.json",
          "place": "",
          "reason": "no contract",
        },
      ]
    `);
    expect(formatReport(made.findings, { files: 0, rules: 0 })).toContain("0 rules in 0 files; 11 parts left out\n");
  });
});

describe("functions that rules tell at some contracts", () => {
  const other = "0x2222222222222222222222222222222222222222";
  const context = {
    contract: { deployments: [vault, other].map((address) => ({ chainId: 8453, address })) },
  };
  const formats = { "setRound(uint256 n)": rich["setRound(uint256 n)"], "pay()": rich["pay()"] };

  it("are told at the others, each function where no rule does", () => {
    const dir = writeFolder({ "calldata-vault.json": descriptorOf(formats, { context }) });
    const round = toFunctionSelector("setRound(uint256)");
    const tells = (address: string, selector: string) => address === vault && selector === round;
    const made = importDescriptors(dir, { nameOf: () => undefined, tells });
    const { contracts, rules } = documentOf(made);
    expect(contracts).toEqual({ contract: { [vault]: "Acme Vault" }, contract_2: { [other]: "Acme Vault" } });
    expect(rules?.map(({ id, at }) => `${id} ${at}`)).toEqual([
      ...["set-round", "set-round-giving", "set-round-getting", "set-round-exchanging"].map((id) => `${id} contract_2`),
      ...["pay", "pay-giving", "pay-getting", "pay-exchanging"].map((id) => `${id} contract,contract_2`),
    ]);
    expect(lintBeside(made)).toEqual([]);
    expect(reasons(made)).toEqual([]);
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
      new Set([
        "an intent that is not short, plain, printable ASCII text",
        "an intent of labels and values, which is no sentence",
      ]),
    );
    expect(made.findings.map(({ place }) => place)).toEqual(
      Object.keys(formats).map((key) => `/display/formats/${key}`),
    );
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
          "place": "/includes",
          "reason": "includes go in a circle",
        },
        {
          "file": "b.json",
          "place": "/includes",
          "reason": "includes go in a circle",
        },
        {
          "file": "b.json",
          "place": "/display/formats/f()",
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
          "place": "/display/definitions/a/$ref",
          "reason": "references that go in a circle",
        },
        {
          "file": "g.json",
          "place": "/context/contract/deployments/0/address",
          "reason": "an address that is none",
        },
        {
          "file": "g.json",
          "place": "/context/contract/deployments/1/address",
          "reason": "an address that is none",
        },
        {
          "file": "g.json",
          "place": "/context/contract/deployments/2/address",
          "reason": "an address that is none",
        },
        {
          "file": "g.json",
          "place": "/context/contract/deployments/3/address",
          "reason": "an address with a wrong checksum",
        },
        {
          "file": "g.json",
          "place": "/context/contract/deployments",
          "reason": "no deployment on chain 8453: the descriptor is left out",
        },
        {
          "file": "h.json",
          "place": "",
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
          "place": "/metadata/owner",
          "reason": "a name that is not short, plain, printable ASCII text",
        },
        {
          "file": "k.json",
          "place": "/metadata",
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
    const made = importDescriptors(join(dir, "vault.json"), noRules);
    expect(made.files).toEqual([]);
    expect(reasons(made)).toEqual([
      "/includes: an include outside of the folder is not read: import the folder that holds both",
      "/display/formats: no functions",
    ]);
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

  it("gives rules that compile, whatever stands where the format wants something else", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 8 }),
      fc.constantFrom("a", "#.b", "c.[0]", "d.[-20:]", "@.value", "a.[-20:]"),
    );
    const odd = fc.oneof(
      text,
      fc.constantFrom(0, 1, -1, 5e-324, null, true, [], {}, vault, "$.metadata.enums.e"),
      fc.jsonValue({ maxDepth: 2 }),
    );
    const maybe = (value: fc.Arbitrary<unknown>) => fc.option(value, { nil: undefined, freq: 3 });
    const kinds = [
      "raw",
      "amount",
      "tokenAmount",
      "nftName",
      "date",
      "duration",
      "unit",
      "enum",
      "chainId",
      "addressName",
      "tokenTicker",
    ];
    const params = fc.record({
      token: maybe(odd),
      tokenPath: maybe(text),
      nativeCurrencyAddress: maybe(odd),
      threshold: maybe(odd),
      message: maybe(odd),
      chainId: maybe(odd),
      collection: maybe(odd),
      collectionPath: maybe(text),
      encoding: maybe(odd),
      base: fc.constantFrom("%", "h", "<"),
      decimals: maybe(odd),
      prefix: maybe(odd),
      $ref: fc.constant("$.metadata.enums.e"),
      senderAddress: maybe(odd),
    });
    const visible = fc.oneof(
      fc.constantFrom("always", "never"),
      fc.record({ ifNotIn: maybe(fc.array(odd)), mustMatch: maybe(fc.array(odd)) }),
      odd,
    );
    const field = fc.record({
      path: text,
      label: fc.constantFrom("Info", "\u0007"),
      format: fc.constantFrom(...kinds),
      params: maybe(params),
      visible: maybe(visible),
      value: maybe(odd),
    });
    const enums = fc.record({
      e: fc.dictionary(fc.constantFrom("0", "1", "0x0001", "true", "x"), fc.constantFrom("one", "Two", "{")),
    });
    fc.assert(
      fc.property(fc.array(field, { maxLength: 5 }), enums, odd, (fields, named, intent) => {
        const formats = {
          "f(uint256 a,address b,int8[] c,bytes d,string e)": { intent: "Do", fields, interpolatedIntent: intent },
        };
        const made = runOne(formats, { metadata: { owner: "Acme", enums: named } });
        for (const { text: rules } of made.files) compileOwn(rules);
      }),
      { numRuns: 150 },
    );
  }, 60_000);
});

describe("imports", () => {
  it("are the same bytes every time, and tell each function of a contract once", () => {
    const other = { context: { contract: { deployments: [{ chainId: 8453, address: `0x${"3".repeat(40)}` }] } } };
    const dir = writeFolder({
      "a/b.json": descriptorOf(rich),
      "b.json": descriptorOf(rich, other),
      "c.json": descriptorOf({ "pay()": { intent: "Pay" } }),
    });
    const [one, again] = [0, 1].map(() => importDescriptors(dir, noRules));
    expect(one).toEqual(again);
    expect(one?.files.map(({ slug }) => slug)).toEqual(["erc7730-b", "erc7730-b-2"]);
    expect(one?.findings).toEqual([
      {
        file: "c.json",
        place: "/display/formats/pay()",
        reason: "a function of a contract that an earlier descriptor tells",
      },
    ]);
  });
});
