import type { Address } from "../kernel/address.ts";
import type { CaseFile } from "../model/case-file.ts";
import type { Labels } from "../model/label.ts";
import type { ActorCall, AssetChange } from "../model/match.ts";
import type { Transaction } from "../model/transaction.ts";
import type { Markets } from "../money/markets.ts";
import type { MoneyTrail } from "../money/trail.ts";
import type { GrantEvent } from "../ruleset/grant-table.ts";
import type { Ruleset } from "../ruleset/ruleset.ts";

/** What the flags and checks are made of. */
export interface SubjectAct {
  file: CaseFile;
  tx: Transaction;
  /** The account whose act it is. */
  subject: Address;
  /** Whoever's authority the transaction used, the subject first. Their money, rights and accounts are looked after. */
  principals: ReadonlySet<Address>;
  calls: readonly ActorCall[];
  /** Addresses that the told actions name, e.g. the receiver on the other side of a bridge. */
  named: readonly Address[];
  /** Where the principals' money ended. */
  trail: MoneyTrail;
  /** Who gave something for what an account gave. */
  markets: Markets;
  /** Whether a told action proves that an address belongs to the protocol it is about. */
  isProven: (address: Address) => boolean;
  /** Who got power over an account or contract of a principal: owners, modules, new code. */
  controllers: readonly Address[];
  /** Who was paid in the place of which account, and with what. */
  payees: readonly { account: Address; payee: Address; assets: readonly AssetChange[] }[];
  /** What a message that is signed gives, where that is what is judged; null for transactions. */
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

/** A right as a grant of a transaction has it. */
export interface SignedGrant {
  owner: Address;
  kind: "erc20" | "managed" | "operator" | "nft";
  /** Who keeps the allowance, where that is not the token itself. */
  manager: GrantEvent | null;
  token: Address;
  grantee: Address;
  /** null for rights over NFTs. */
  amount: bigint | null;
  /** Unix seconds; null where the right has no end. */
  expiration: bigint | null;
}
