import type { Address } from "../../kernel/address.ts";
import type { CaseFile } from "../../model/case-file.ts";
import type { Labels } from "../../model/label.ts";
import type { ActorCall, AssetChange } from "../../model/match.ts";
import type { Transaction } from "../../model/transaction.ts";
import type { GrantEvent } from "../../rules/ruleset/grant-table.ts";
import type { Ruleset } from "../../rules/ruleset/ruleset.ts";
import type { Markets } from "../money/markets.ts";
import type { MoneyTrail } from "../money/trail.ts";

/** Sources of all flags and checks. */
export interface SubjectAct {
  file: CaseFile;
  tx: Transaction;
  /** On whose behalf the transaction ran. */
  subject: Address;
  /** Whose authority was used, the subject first. Checks cover the money, rights and accounts of all. */
  principals: ReadonlySet<Address>;
  calls: readonly ActorCall[];
  /** By the stated actions, e.g. the receiver on the other side of a bridge. */
  named: readonly Address[];
  /** Where the principals' money ended. */
  trail: MoneyTrail;
  /** Who gave something in exchange. */
  markets: Markets;
  /** A stated action proves that the address belongs to its protocol. */
  isProven: (address: Address) => boolean;
  /** Run by nodes: no source code, and nobody behind it. */
  isPrecompile: (address: Address) => boolean;
  /** New owners, modules and code of a principal's account or contract. */
  controllers: readonly Address[];
  /** Paid in the place of an account. */
  payees: readonly { account: Address; payee: Address; assets: readonly AssetChange[] }[];
  /** null for transactions. */
  signed: SignedPowers | null;
  labels: Labels;
  ruleset: Ruleset;
}

/** Given to others by a signature. */
export interface SignedPowers {
  grants: readonly SignedGrant[];
  /** Get what the signer gives. */
  recipients: readonly Address[];
  /** Get power over the signer's account. */
  powers: readonly Address[];
  /** Checks the signature. */
  verifier: Address | null;
}

/** Fields as in grants of transactions. */
export interface SignedGrant {
  owner: Address;
  kind: "erc20" | "managed" | "operator" | "nft";
  /** Holds the allowance; null: the token itself. */
  manager: GrantEvent | null;
  token: Address;
  grantee: Address;
  /** null over NFTs. */
  amount: bigint | null;
  /** Unix seconds; null: no end. */
  expiration: bigint | null;
}
