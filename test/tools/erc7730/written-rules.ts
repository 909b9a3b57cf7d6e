import { parse } from "yaml";
import { type Address, toAddress } from "../../../src/kernel/address.ts";
import type { RuleDocument } from "../../../src/rules/ruleset/document/rule-document.ts";
import { writeRuleFile } from "../../../src/tools/erc7730/rules/rule-file.ts";
import { bob, usdc } from "../../support/case-of.ts";
import { vault } from "./descriptor-folder.ts";
import { intentsOf } from "./read-intents.ts";

/** The first contract of the descriptor. */
export const first = toAddress(vault);

/** The rule file for these formats. `places`: the contracts at which each function is told. */
export function write(
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
