import type { Address } from "../../kernel/address.ts";
import { AssetNames } from "../amounts/asset-names.ts";
import { wellKnownSymbols } from "../amounts/symbol-policy.ts";
import type { Findings } from "../findings.ts";
import { SentenceWriter } from "../sentence.ts";
import { shortenerOf } from "./short-addresses.ts";
import { Teller } from "./teller.ts";

/** What puts one transaction into words. */
export interface Words {
  names: AssetNames;
  teller: Teller;
  writer: SentenceWriter;
  nameOf: (address: Address) => string;
}

export function openWords({ file, ruleset, labels, tx, assessment }: Findings): Words {
  const teller = new Teller(ruleset.wording, shortenerOf(tx));
  const { unlimited } = ruleset.grants;
  const policy = { wellKnown: wellKnownSymbols(labels), suspects: assessment.suspects, unlimited };
  const names = new AssetNames(file, labels, policy, teller);
  const writer = new SentenceWriter(labels, names, { teller, verbs: ruleset.verbs });
  return { names, teller, writer, nameOf: (address) => writer.address(address) };
}
