import type { Address } from "../../kernel/address.ts";
import type { CaseFile } from "../../model/case-file.ts";
import type { Labels } from "../../model/label.ts";
import type { ActorCall, AssetChange } from "../../model/match.ts";
import type { Transaction } from "../../model/transaction.ts";
import type { GrantEvent } from "../../rules/ruleset/grant-table.ts";
import type { Ruleset } from "../../rules/ruleset/ruleset.ts";
import type { Markets } from "../money/markets.ts";
import type { MoneyTrail } from "../money/trail.ts";

/** Everything that the flags and checks are made from. */
export interface SubjectAct {
  file: CaseFile;
  tx: Transaction;
  /** The account on whose behalf the transaction ran. */
  subject: Address;
  /** Accounts whose authority the transaction used, the subject first. The checks cover the money, rights and accounts of all of them. */
  principals: ReadonlySet<Address>;
  calls: readonly ActorCall[];
  /** Addresses that the told actions name, e.g. the receiver on the other side of a bridge. */
  named: readonly Address[];
  /** Follows the principals' money to where it ended. */
  trail: MoneyTrail;
  /** Tells who gave something in exchange for what an account gave. */
  markets: Markets;
  /** Whether a told action proves that an address belongs to the action's protocol. */
  isProven: (address: Address) => boolean;
  /** Whether nodes run it themselves, as the rules prove: such a contract has no source code, and nobody behind it to deal with. */
  isPrecompile: (address: Address) => boolean;
  /** Addresses that got power over an account or contract of a principal: owners, modules, new code. */
  controllers: readonly Address[];
  /** Payouts: who was paid in the place of which account, and with which assets. */
  payees: readonly { account: Address; payee: Address; assets: readonly AssetChange[] }[];
  /** What a message gives that is to be signed; null for transactions. */
  signed: SignedPowers | null;
  labels: Labels;
  ruleset: Ruleset;
}

/** Rights and money that a signature gives to others. */
export interface SignedPowers {
  grants: readonly SignedGrant[];
  /** Who gets what the signer gives. */
  recipients: readonly Address[];
  /** Who gets power over the signer's account. */
  powers: readonly Address[];
  /** The contract that is to check the signature. */
  verifier: Address | null;
}

/** A right that a signature gives, with the fields that grants of transactions have too. */
export interface SignedGrant {
  owner: Address;
  kind: "erc20" | "managed" | "operator" | "nft";
  /** The contract that keeps the allowance; null where the token itself does. */
  manager: GrantEvent | null;
  token: Address;
  grantee: Address;
  /** null for rights over NFTs. */
  amount: bigint | null;
  /** Unix seconds; null where the right has no end. */
  expiration: bigint | null;
}
