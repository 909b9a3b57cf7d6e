import { describe, expect, it } from "vitest";
import { firstFree } from "../../../src/tools/erc7730/rules/rule-file.ts";
import { usdc } from "../../support/case-of.ts";
import { vault } from "./descriptor-folder.ts";
import { first, write } from "./written-rules.ts";

describe("the rule file of a descriptor", () => {
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
      contract: { Acme: vault },
      contract_2: { 'The "Coin"': "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913" },
    });
    const plain = document.rules?.filter(({ id }) => !/-(?:giving|getting|exchanging)$/.test(id));
    expect(plain?.map(({ id, at, anchor }) => [id, at, anchor.call])).toEqual([
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
});

it("a name is the first that is free", () => {
  const taken = new Set(["a", "a-2"]);
  expect([firstFree("b", "-", (text) => !taken.has(text)), firstFree("a", "-", (text) => !taken.has(text))]).toEqual([
    "b",
    "a-3",
  ]);
});
