import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { firstFree, writeRuleFile } from "../../src/erc7730/rules/rule-file.ts";
import type { Address } from "../../src/kernel/address.ts";
import { toAddress } from "../../src/kernel/address.ts";
import type { RuleDocument } from "../../src/ruleset/document/rule-document.ts";
import { bob, usdc } from "../support/case-of.ts";
import { vault } from "./descriptor-folder.ts";
import { intentsOf } from "./read-intents.ts";

const first = toAddress(vault);

/** The rule file of these formats; `places`: where each function is told. */
function write(
  formats: object,
  { more = {}, places = [] }: { more?: object; places?: readonly (readonly Address[])[] } = {},
) {
  const { intents, reported } = intentsOf(formats, more);
  const addresses = [first, usdc, bob];
  const written = writeRuleFile({
    ...{ slug: "erc7730-acme", source: "acmé.json", addresses, name: "Acme" },
    nameOf: (address) => (address === usdc ? 'The "Coin"' : undefined),
    intents: intents.map((intent, i) => ({ ...intent, addresses: places[i] ?? addresses })),
  });
  return {
    lines: written?.text.split("\n") ?? [],
    document: parse(written?.text ?? "") as RuleDocument,
    written,
    reported,
  };
}

const transfer = (token: string, from: string, to: string) =>
  `        - { transfer: { token: "0x${token}${"20".repeat(19)}", from: ${from}, to: ${to}, amount: "5" } }`;

describe("the rule file of a descriptor", () => {
  it("tells a call by what it moved, each with an example", () => {
    const { lines, written, reported } = write({ "poke()": { intent: "Poke it" } }, { places: [[first]] });
    const rule = (id: string, flow: string, overrides: string, ending: string) => [
      ...[
        `  - id: ${id}`,
        "    action: contract_interaction",
        "    call: poke",
        "    at: contract",
        "    yields: true",
      ],
      `    flow: { ${flow} }`,
      ...(overrides === "" ? [] : [`    overrides: [${overrides}]`]),
      `    does: "call {contract} to poke it${ending}"`,
    ];
    const example = (id: string, ...logs: string[]) => [
      ...[`  - name: ${id}`, "    given:", "      from: alice", "      to: contract", '      data: "0x18178358"'],
      ...(logs.length === 0 ? [] : ["      logs:", ...logs]),
      ...[`    rule: ${id}`, "    action: contract_interaction"],
      `  - { name: ${id} at an untrusted contract, like: ${id}, untrusted: [contract], not: ${id} }`,
    ];
    expect(lines).toEqual([
      "# yaml-language-server: $schema=../../schemas/rule.schema.json",
      "# Compiled by txgloss import-erc7730 from acm\\u00e9.json: what its author says that it is meant to do.",
      ...["protocol: erc7730-acme", "kind: standard"],
      JSON.stringify("unverified: ERC-7730 descriptor acm\\u00e9.json").replace(/^/, "source: "),
      ...["contracts:", "  contract:", `    "${vault}": "Acme"`, "abi:", '  poke: "function poke()"', "rules:"],
      ...rule("poke", "gives: nothing, gets: nothing", "poke-giving, poke-getting, poke-exchanging", ""),
      ...["    attempts:", "      - call: poke", '        does: "call {contract} to poke it"'],
      ...rule("poke-giving", "gives: some, gets: nothing", "poke-exchanging", ", giving {gives}"),
      ...rule("poke-getting", "gives: nothing, gets: some", "poke-exchanging", ", receiving {gets}"),
      ...rule("poke-exchanging", "gives: some, gets: some", "", ", giving {gives} and receiving {gets}"),
      "examples:",
      ...example("poke"),
      ...example("poke-giving", transfer("20", "alice", "bob")),
      ...example("poke-getting", transfer("20", "bob", "alice")),
      ...example(
        "poke-exchanging",
        ...[transfer("22", "alice", "bob"), transfer("20", "alice", "bob"), transfer("21", "bob", "alice")],
      ),
      "",
    ]);
    expect([written?.rules, reported]).toEqual([4, []]);
  });

  it("tells a call that must carry ether only where something is given", () => {
    const value = { path: "@.value", label: "Ether", format: "amount", visible: { mustMatch: [6] } };
    const { document } = write({ "poke()": { intent: "Poke", fields: [value] } });
    const where = [{ uint_eq: [{ var: "call.value" }, "6"] }];
    const does = "call {contract} to poke";
    const giving = { at: "contract", where, overrides: ["poke-exchanging"], attempts: [{ call: "poke", where, does }] };
    expect(
      document.rules?.map(({ id, at, where: asked, overrides, attempts }) => ({
        id,
        at,
        where: asked,
        overrides,
        attempts,
      })),
    ).toEqual([
      { id: "poke-giving", ...giving },
      { id: "poke-exchanging", at: "contract", where, overrides: undefined, attempts: undefined },
    ]);
    expect(document.examples?.map((example) => (example.given as { value?: string } | undefined)?.value)).toEqual([
      ...["6", undefined, "6", undefined],
    ]);
  });

  it("tells an interpolated intent where its values can be told, amounts and ether as they moved", () => {
    const formats = {
      "pay(uint256 sum,address to)": {
        intent: "Pay",
        interpolatedIntent: "Pay {sum}",
        fields: [
          { path: "sum", label: "Sum", format: "tokenAmount", params: { token: usdc } },
          { path: "to", label: "To", visible: { ifNotIn: [usdc, bob] } },
          { path: "@.value", label: "Ether", format: "amount" },
          { path: "#.sum", label: "Number", format: "raw" },
        ],
      },
    };
    const { document } = write(formats);
    const not = (one: string) => ({ "!": { addr_eq: [{ var: "args.to" }, one] } });
    const sum = { amount: "args.sum", of: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913" };
    const to = { label: "to", when: { and: [not(usdc), not(bob)] }, address: "args.to" };
    const [ether, number] = [
      { label: "ether", amount: "call.value", of: "native" },
      { label: "number", integer: "args.sum" },
    ];
    const where = [{ uint_gt: [{ var: "args.sum" }, "0"] }];
    const [inside, plain] = [
      "call {contract} to pay {field_1}[, with {fields}]",
      "call {contract} to pay[, with {fields}]",
    ];
    const all = ["pay", "pay-giving", "pay-getting", "pay-exchanging"];
    expect(
      document.rules?.map(({ id, where: asked, capture, overrides = [], does, attempts }) => ({
        id,
        asked,
        capture,
        overrides,
        does,
        attempts: attempts?.length,
      })),
    ).toEqual([
      {
        id: "pay-detailed",
        asked: where,
        capture: { field_1: sum, fields: [to, number] },
        overrides: all,
        does: inside,
        attempts: 2,
      },
      {
        ...{ id: "pay", asked: undefined, capture: { fields: [{ label: "sum", ...sum }, to, number] } },
        ...{ overrides: all.slice(1), does: plain, attempts: undefined },
      },
      ...[", giving {gives}", ", receiving {gets}", ", giving {gives} and receiving {gets}"].map((ending, i) => ({
        ...{ id: all[i + 1], asked: undefined, capture: { fields: [to, number] } },
        ...{ overrides: i === 2 ? [] : ["pay-exchanging"], does: `${plain}${ending}`, attempts: undefined },
      })),
    ]);
    expect(document.rules?.[0]?.attempts).toEqual([
      { call: "pay", where, capture: { field_1: sum, fields: [ether, to, number] }, does: inside },
      { call: "pay", capture: { fields: [{ label: "sum", ...sum }, ether, to, number] }, does: plain },
    ]);
  });

  it("tells no sentence of which a value is told as it moved", () => {
    const fields = [
      { path: "@.value", label: "Ether", format: "amount" },
      { path: "to", label: "To" },
    ];
    const format = { intent: "Pay", interpolatedIntent: "Pay {@.value} to {to}", fields };
    const { document } = write({ "pay(address to)": format });
    expect(document.rules?.map(({ id, does }) => `${id}: ${does}`)).toEqual([
      "pay: call {contract} to pay[, with {fields}]",
      "pay-giving: call {contract} to pay[, with {fields}], giving {gives}",
      "pay-getting: call {contract} to pay[, with {fields}], receiving {gets}",
      "pay-exchanging: call {contract} to pay[, with {fields}], giving {gives} and receiving {gets}",
    ]);
    expect((document.rules?.[0]?.attempts as { does: string }[] | undefined)?.map(({ does }) => does)).toEqual([
      "call {contract} to pay {field_1} to {field_2}",
      "call {contract} to pay[, with {fields}]",
    ]);
  });

  it("tells the plain intent alone where no example has the values of the sentence", () => {
    const fields = [{ path: "n", label: "Num", format: "amount", visible: { mustMatch: [0] } }];
    const shown = { path: "#.n", label: "Also", format: "amount" };
    const format = { intent: "Act", interpolatedIntent: "Act on {n}", fields: [...fields, shown] };
    const { document, reported } = write({ "act(uint256 n)": format });
    expect(document.rules?.map(({ id, does }) => `${id}: ${does}`)[0]).toBe(
      "act: call {contract} to act[, with {fields}]",
    );
    expect(document.rules).toHaveLength(4);
    expect(new Set(reported)).toEqual(
      new Set(["/display/formats/act(uint256 n): fields whose conditions no example meets"]),
    );
  });

  it("tells no second form where the values are always there, or never missing", () => {
    const forms = (field: object) => {
      const format = {
        intent: "Act",
        interpolatedIntent: "Act on {n}",
        fields: [{ path: "n", label: "Num", ...field }],
      };
      return write({ "act(uint256 n)": format }).document.rules?.map(({ id }) => id);
    };
    expect(forms({})).toEqual(["act", "act-giving", "act-getting", "act-exchanging"]);
    expect(forms({ format: "amount" })?.[0]).toBe("act-detailed");
  });

  it("numbers what has one name, and groups contracts by what is told there", () => {
    const formats = {
      "set_it()": { intent: "Set" },
      "setIt()": { intent: "Set" },
      "setIt(bool a)": { intent: "Set" },
      "any()": { intent: "Do" },
      "plain()": { intent: "Do" },
    };
    const { document } = write(formats, { places: [[first, usdc], [usdc], [usdc], [first, usdc], [usdc]] });
    expect(Object.keys(document.abi ?? {})).toEqual(["set_it", "setIt", "setIt2", "any2", "plain2"]);
    expect(document.contracts).toEqual({
      contract: { [vault]: "Acme" },
      contract_2: { "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913": 'The "Coin"' },
    });
    const plain = document.rules?.filter(({ id }) => !/-(?:giving|getting|exchanging)$/.test(id));
    expect(plain?.map(({ id, at, call }) => [id, at, call])).toEqual([
      ["set-it", ["contract", "contract_2"], "set_it"],
      ["set-it-2", "contract_2", "setIt"],
      ["set-it2", "contract_2", "setIt2"],
      ["any2", ["contract", "contract_2"], "any2"],
      ["plain2", "contract_2", "plain2"],
    ]);
    const twins = document.examples?.filter(({ name }) => name?.startsWith("any2 at"));
    expect(twins?.map(({ untrusted }) => untrusted)).toEqual([["contract", "contract_2"]]);
  });

  it("leaves out a function without an example, and is none without any", () => {
    const must = (value: number) => ({ path: "n", label: "Num", visible: { mustMatch: [value] } });
    const impossible = { intent: "Act", fields: [must(1), { ...must(2), path: "#.n" }] };
    const { written, reported } = write({ "act(uint8 n)": impossible });
    expect([written, reported]).toEqual([
      undefined,
      ["/display/formats/act(uint8 n): conditions that no example meets"],
    ]);
    const both = write({ "act(uint8 n)": impossible, "poke()": { intent: "Poke" } });
    expect([both.written?.rules, Object.keys(both.document.abi ?? {})]).toEqual([4, ["poke"]]);
  });

  it("tells messages that are signed", () => {
    const key = "Act(address to,uint256 n,Part[] parts)Part(bool a)";
    const fields = [
      { path: "n", label: "Num", format: "amount" },
      { path: "parts.[].a", label: "Parts" },
    ];
    const format = { intent: "Act", interpolatedIntent: "Act for {n}", fields };
    const { lines, written } = write({ [key]: format }, { more: { context: { eip712: {} } }, places: [[first, usdc]] });
    const parts = '{"label":"parts","each":"args.parts","enum":"item.a","values":{"true":"true","false":"false"}}';
    const sign = (id: string) => [
      ...[`  - id: ${id}`, "    action: contract_interaction", "    sign: Act", "    at: contract", "    yields: true"],
    ];
    const example = (id: string, message: object) => [
      ...[`  - name: ${id}`, "    given:", "      from: alice", `      message: ${JSON.stringify(message)}`],
      ...[`    rule: ${id}`, "    action: contract_interaction"],
    ];
    const to = `0x${"10".repeat(19)}01`;
    expect(lines.slice(lines.indexOf("rules:"))).toEqual([
      "rules:",
      ...sign("act-detailed"),
      ...["    where:", '      - {"uint_gt":[{"var":"args.n"},"0"]}', "    capture:"],
      ...['      field_1: {"amount":"args.n","of":"native"}', `      fields: ${parts}`],
      '    does: "sign for {contract} to act for {field_1}[, with {fields}]"',
      ...sign("act"),
      ...[
        "    capture:",
        "      fields:",
        '        - {"label":"num","amount":"args.n","of":"native"}',
        `        - ${parts}`,
      ],
      '    does: "sign for {contract} to act[, with {fields}]"',
      "examples:",
      ...example("act-detailed", { to, n: "1", parts: [{ a: true }] }),
      ...example("act", { to: `0x${"0".repeat(40)}`, n: "0", parts: [] }),
      "",
    ]);
    expect(written?.rules).toBe(2);
    const elsewhere = write({ [key]: format }, { more: { context: { eip712: {} } } });
    expect(elsewhere.lines).toContain("    at: contract");
  });

  it("says which call a field holds: of several the first", () => {
    const data = (path: string, calleePath: string) => ({
      path,
      label: path,
      format: "calldata",
      params: { calleePath },
    });
    const fields = [{ path: "n", label: "Num" }, data("one", "to"), data("two", "@.to")];
    const { lines } = write({ "act(uint8 n,address to,bytes one,bytes two)": { intent: "Act", fields } });
    expect(lines.filter((line) => line.includes("carries:"))).toEqual([
      ...["    ", "        ", "    ", "    ", "    "].map(
        (pad) => `${pad}carries: {"from":"call.to","to":"args.to","data":"args.one"}`,
      ),
    ]);
    expect(lines.filter((line) => line.includes("does:"))[0]).toBe(
      '    does: "call {contract} to act[, with {fields}][, so as to {call}]"',
    );
  });
});

it("a name is the first that is free", () => {
  const taken = new Set(["a", "a-2"]);
  expect([firstFree("b", "-", (text) => !taken.has(text)), firstFree("a", "-", (text) => !taken.has(text))]).toEqual([
    "b",
    "a-3",
  ]);
});
