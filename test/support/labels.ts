import { fileURLToPath } from "node:url";
import { toAddress } from "../../src/kernel/address.ts";
import type { BlockCalendar } from "../../src/kernel/block-calendar.ts";
import type { Labels, NameLabel, TokenLabel } from "../../src/model/label.ts";
import type { ChainFacts } from "../../src/rules/labels/calendar.ts";
import { loadLabels } from "../../src/rules/labels/load.ts";
import { buildLabels, type LabelFacts } from "../../src/rules/labels/lookup.ts";

/** Where the shipped label files are. */
export const labelsDir = fileURLToPath(new URL("../../labels", import.meta.url));

let shipped: Labels | undefined;

/** The shipped labels, without names of rules; read once per test file. */
export function shippedLabels(): Labels {
  shipped ??= loadLabels(labelsDir, []).labels;
  return shipped;
}

/** When Base makes its blocks, by the shipped labels. */
export function baseBlocks(): BlockCalendar {
  return shippedLabels().calendar.blocks as BlockCalendar;
}

/** Labels that a test makes up. Every part that is not given is empty. */
export function labelsOf(facts: Partial<LabelFacts>): Labels {
  return buildLabels({
    tokens: [],
    names: [],
    extraNames: [],
    roles: [],
    schemes: [],
    accounts: [],
    decimals: [],
    proxies: [],
    feeds: [],
    chain: noChain,
    confusables: {},
    ...facts,
  });
}

/** A calendar of nothing. */
export const noChain: ChainFacts = {
  ...{ upgrades: [], blockTimes: [], gasCaps: [] },
  ...{ deposits: [], predeploys: [], precompiles: [] },
};

/** A token that a test makes up: with 18 decimals and not well known, unless the test says otherwise. */
export function tokenOf(address: string, symbol: string, rest: Partial<TokenLabel> = {}): TokenLabel {
  return { address: toAddress(address), symbol, name: symbol, decimals: 18, wellKnown: false, ...rest };
}

/** A name of a test's own world. */
export function nameOf(address: string, label: string, category = "infrastructure"): NameLabel {
  return { address: toAddress(address), label, category };
}
