import { describe, expect, it } from "vitest";
import { vault } from "./descriptor-folder.ts";
import { first, write } from "./written-rules.ts";

const transfer = (token: string, from: string, to: string) =>
  `        - { transfer: { token: "0x${token}${"20".repeat(19)}", from: ${from}, to: ${to}, amount: "5" } }`;

describe("a rule about a call", () => {
  it("tells a call by what it moved, each with an example", () => {
    const { lines, written, reported } = write({ "poke()": { intent: "Poke it" } }, { places: [[first]] });
    const rule = (id: string, flow: string, overrides: string, ending: string) => [
      ...[`  - id: ${id}`, "    action: contract_interaction", "    anchor: { call: poke }", "    at: contract"],
      `    money: { ${flow} }`,
      ...(overrides === "" ? [] : [`    before: [${overrides}]`]),
      "    after: everything",
      `    say: "call {contract} to poke it${ending}"`,
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
      ...["contracts:", "  contract:", `    "Acme": "${vault}"`, "abi:", '  poke: "function poke()"', "rules:"],
      ...rule("poke", "gives: nothing, gets: nothing", "poke-giving, poke-getting, poke-exchanging", ""),
      ...["    tried:", "      - call: poke", '        say: "call {contract} to poke it"'],
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
    const when = [{ "==": [{ var: "call.value" }, "6"] }];
    const say = "call {contract} to poke";
    const giving = { at: "contract", when, before: ["poke-exchanging"], tried: [{ call: "poke", when, say }] };
    expect(
      document.rules?.map(({ id, at, when: asked, before, tried }) => ({
        id,
        at,
        when: asked,
        before,
        tried,
      })),
    ).toEqual([
      { id: "poke-giving", ...giving },
      { id: "poke-exchanging", at: "contract", when, before: undefined, tried: undefined },
    ]);
    expect(document.examples?.map((example) => (example.given as { value?: string } | undefined)?.value)).toEqual([
      ...["6", undefined, "6", undefined],
    ]);
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
      ...["      ", "        ", "      ", "      ", "      "].map(
        (pad) => `${pad}carries: {"from":"call.to","to":"args.to","data":"args.one"}`,
      ),
    ]);
    expect(lines.filter((line) => line.includes("say:"))[0]).toBe(
      '    say: "call {contract} to act[, with {fields}][, so as to {call}]"',
    );
  });
});
