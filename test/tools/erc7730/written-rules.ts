import { parse } from "yaml";
import { type Address, toAddress } from "../../../src/kernel/address.ts";
import { writeRuleFile } from "../../../src/tools/erc7730/rules/rule-file.ts";
import { bob, usdc } from "../../support/case-of.ts";
import { vault } from "./descriptor-folder.ts";
import { intentsOf } from "./read-intents.ts";

/** A rule file as authors write it; the fields that tests look at. */
export interface AuthoredFile {
  kind?: string;
  name?: string;
  abi?: Record<string, string>;
  contracts?: Record<string, unknown>;
  rules?: {
    id: string;
    at: string | string[];
    anchor: { call: string };
    when?: unknown;
    before?: string[];
    tried?: { call: string; say?: string; when?: unknown; values?: unknown }[];
    values?: Record<string, unknown>;
    say: string;
    action?: string;
    after?: string;
  }[];
  examples?: { name?: string; given?: Record<string, unknown>; untrusted?: string[] }[];
}

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
    document: parse(written?.text ?? "") as AuthoredFile,
    written,
    reported,
  };
}
