import type { Address } from "../../../kernel/address.ts";
import { chain } from "../../../kernel/chain-profile.ts";
import type { Labels } from "../../../model/label.ts";
import type { Transaction } from "../../../model/transaction.ts";
import type { Assessment } from "../../assess/assess.ts";
import type { SubjectAct } from "../../assess/subject-act.ts";
import { supplyLimits } from "../../unwrap/gates.ts";
import { AssetNames } from "../amounts/asset-names.ts";
import { SentenceWriter } from "../sentence.ts";
import { Teller } from "./teller.ts";

export type Words = ReturnType<typeof openWords>;

type Found = Pick<SubjectAct, "file" | "ruleset" | "labels"> & { assessment: Assessment; tx?: Transaction };

/** `shorten`: shortens the addresses of this answer. */
export function openWords({ file, ruleset, labels, assessment, tx }: Found, shorten: (address: Address) => string) {
  const teller = new Teller(ruleset.wording, shorten);
  const { unlimited } = ruleset.grants;
  const supplyMax = supplyLimits(file, ruleset, tx?.logs ?? []);
  const policy = { wellKnown: wellKnownSymbols(labels), suspects: assessment.suspects, unlimited, supplyMax };
  const names = new AssetNames(file, labels, policy, teller);
  const writer = new SentenceWriter(labels, names, { teller, verbs: ruleset.verbs });
  return { names, teller, writer, nameOf: (address: Address) => writer.address(address) };
}

const symbolSets = new WeakMap<Labels, ReadonlySet<string>>();

/** Lower case; never shown for an unlisted token. */
export function wellKnownSymbols(labels: Labels): ReadonlySet<string> {
  let symbols = symbolSets.get(labels);
  if (symbols === undefined) {
    const tokens = labels.tokens().filter((token) => token.wellKnown);
    symbols = new Set([chain.currency.symbol.toLowerCase(), ...tokens.map((token) => token.symbol.toLowerCase())]);
    symbolSets.set(labels, symbols);
  }
  return symbols;
}
