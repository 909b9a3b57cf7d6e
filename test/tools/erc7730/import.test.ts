import { toFunctionSelector } from "viem";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { zeroAddress } from "../../../src/kernel/address.ts";
import { type Import, importDescriptors } from "../../../src/tools/erc7730/import.ts";
import { there } from "./captured-field.ts";
import { descriptorOf, importFiles, importOne, noRules, vault, writeFolder } from "./descriptor-folder.ts";
import { lintBeside } from "./lint-beside.ts";
import type { AuthoredFile } from "./written-rules.ts";

function documentOf(made: Import): AuthoredFile {
  return parse(made.files[0]?.text ?? "") as AuthoredFile;
}

function sentenceOf(made: Import, id: string): string | undefined {
  return documentOf(made).rules?.find((rule) => rule.id === id)?.say;
}

function reasonsOf(made: Import): string[] {
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
    const made = importOne(descriptorOf(rich));
    expect(reasonsOf(made)).toEqual([]);
    expect(lintBeside(made)).toEqual([]);
    expect(made.files.map(({ slug }) => slug)).toEqual(["erc7730-vault"]);
  }, 60_000);

  it("only ever says that a contract was called, yields, and names no protocol", () => {
    const { kind, rules = [], name } = documentOf(importOne(descriptorOf(rich)));
    expect([kind, name]).toEqual(["standard", undefined]);
    expect(rules.length).toBeGreaterThan(20);
    expect(new Set(rules.map((rule) => `${rule.action} ${rule.after} ${rule.at}`))).toEqual(
      new Set(["contract_interaction everything contract"]),
    );
    expect(rules.filter(({ say }) => say.includes("{protocol}"))).toEqual([]);
  });

  it("tells intent, fields, movements and attempts", () => {
    const made = importOne(descriptorOf(rich));
    expect(sentenceOf(made, "deposit")).toBe("call {contract} to deposit ETH into the vault[, with {fields}]");
    expect(sentenceOf(made, "deposit-giving")).toBe(
      "call {contract} to deposit ETH into the vault[, with {fields}], giving {gives}",
    );
    const { rules = [], abi } = documentOf(made);
    const attemptsOf = (id: string) => rules.find((rule) => rule.id === id)?.tried;
    expect(attemptsOf("set-round")).toEqual([
      {
        call: "setRound",
        values: { fields: { label: "round", integer: "args.n" } },
        say: "call {contract} to set the round[, with {fields}]",
      },
    ]);
    const captureOf = (id: string) => rules.find((rule) => rule.id === id)?.values;
    const until = { label: "end time", time: "args.until", precision: "second" };
    // Without its token an amount is a number.
    const amountOf = (label: string, amount: string, of: string) => {
      const isThere = there(of, zeroAddress);
      return [
        { label, when: isThere, amount, of },
        { label, when: { "!": isThere }, integer: amount },
      ];
    };
    const supplied = amountOf("supplied", "args.order.amount", "args.order.hops.-1");
    expect(captureOf("deposit")).toEqual({ fields: [...supplied, until] });
    // What moved is told as it moved.
    expect(captureOf("deposit-giving")).toEqual({ fields: until });
    expect(attemptsOf("pay")).toMatchObject([
      { values: { fields: { label: "sum", amount: "call.value", of: "native" } } },
    ]);
    expect(captureOf("route")).toEqual({ fields: amountOf("amount", "args.amount", "args.path.addressAt.-20") });
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
    const made = importOne(
      descriptorOf(
        {
          "poke(address)": { intent: "Poke", fields: [{ path: "who", label: "Whom", format: "addressName" }] },
          "0xcacb14bb": { intent: "Open" },
          "open((uint256))": { intent: "Open an order" },
        },
        { context },
      ),
    );
    expect(documentOf(made).abi).toEqual({
      poke: "function poke(address who)",
      open: "function open((uint256 size) order)",
    });
    expect(reasonsOf(made)).toEqual([
      "/display/formats/0xcacb14bb: a selector whose signature the descriptor does not hold",
    ]);
  });

  it("is merged with what it includes, and decides", () => {
    const approve = (fields: unknown[], intent?: string) => ({
      "approve(address spender,uint256 value)": { intent, fields },
    });
    const made = importFiles(
      {
        "vault.json": descriptorOf(approve([{ path: "spender", label: "Whom" }]), { includes: "./base.json" }),
        "base.json": {
          display: { formats: approve([{ path: "spender", label: "Spender", format: "addressName" }], "Approve") },
        },
      },
      "vault.json",
    );
    expect(reasonsOf(made)).toEqual([]);
    expect(sentenceOf(made, "approve")).toBe("call {contract} to approve[, with {fields}]");
    expect(documentOf(made).rules?.[0]?.values).toEqual({ fields: { label: "whom", address: "args.spender" } });
  });

  it("uses definitions by reference", () => {
    const display = {
      definitions: { sum: { label: "Sum", format: "tokenAmount", params: { tokenPath: "@.to" } } },
      formats: { "burn(uint256 n)": { intent: "Burn", fields: [{ path: "n", $ref: "$.display.definitions.sum" }] } },
    };
    const made = importOne(descriptorOf({}, { display }));
    expect(documentOf(made).rules?.[0]?.values).toEqual({
      fields: { label: "sum", amount: "args.n", of: "call.to" },
    });
  });

  it("leaves known addresses the names that they have", () => {
    const dir = writeFolder({ "vault.json": descriptorOf({ "poke()": { intent: "Poke" } }) });
    const made = importDescriptors(dir, {
      ...noRules,
      nameOf: (address) => ((address as string) === vault ? "Known Vault" : undefined),
    });
    expect(Object.keys(documentOf(made).contracts?.contract ?? {})).toEqual(["Known Vault"]);
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
    expect(contracts).toEqual({ contract: { "Acme Vault": vault }, contract_2: { "Acme Vault": other } });
    expect(rules?.map(({ id, at }) => `${id} ${at}`)).toEqual([
      ...["set-round", "set-round-giving", "set-round-getting", "set-round-exchanging"].map((id) => `${id} contract_2`),
      ...["pay", "pay-giving", "pay-getting", "pay-exchanging"].map((id) => `${id} contract,contract_2`),
    ]);
    expect(lintBeside(made)).toEqual([]);
    expect(reasonsOf(made)).toEqual([]);
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
