import type { Address } from "../../kernel/address.ts";
import { unlimitedThreshold } from "../../kernel/amount.ts";
import type { CaseFile } from "../../model/case-file.ts";
import type { Labels } from "../../model/label.ts";
import type { SignedDomain } from "../../model/message.ts";
import type { Transaction } from "../../model/transaction.ts";
import type { GrantEvent } from "../../rules/ruleset/grant-table.ts";
import type { Ruleset } from "../../rules/ruleset/ruleset.ts";
import type { SignedGrant, SubjectAct } from "../assess/subject-act.ts";
import type { DecodedCarried } from "../carried-call.ts";
import type { MatchedMessage } from "../match/messages/match-message.ts";
import type { GivenRight } from "../match/messages/signed-offer.ts";
import { Markets } from "../money/markets.ts";
import { MoneyTrail } from "../money/trail.ts";
import { precompilesIn } from "../unwrap/gates.ts";
import type { CarriedRight } from "./carried-rights.ts";

interface Signed {
  account: Address;
  file: CaseFile;
  tx: Transaction;
  matched: MatchedMessage | undefined;
  /** Other addresses in the message. */
  named: readonly Address[];
  carried: (DecodedCarried & { rights: readonly CarriedRight[] }) | null;
  domain: SignedDomain;
  ruleset: Ruleset;
  labels: Labels;
}

/** From the message and its carried call. */
export function signedAct({ file, tx, matched, carried, named, domain, ruleset, labels, ...of }: Signed): SubjectAct {
  const signer = of.account;
  const manager = managerOf(domain.verifyingContract, ruleset);
  const signed = {
    grants: [
      ...(matched?.rights ?? []).map((right) => grantOf(right, signer, manager)),
      ...(carried?.rights ?? []).map((right) => grantOf(right, right.owner, right.manager)),
    ],
    recipients: [...(matched?.recipients ?? []), ...(matched?.diverted.to ?? [])],
    powers: matched?.powers ?? [],
    verifier: domain.verifyingContract === signer ? null : domain.verifyingContract,
  };
  const inner = carried?.decoded;
  // Nothing ran, so nothing failed.
  const quiet = inner === undefined ? tx : { ...inner.unwrapped.tx, status: "success" as const };
  const account = matched?.call?.from ?? signer;
  return {
    file: inner === undefined ? file : { ...file, transaction: { ...file.transaction, from: account } },
    tx: quiet,
    subject: account,
    principals: new Set([account, signer]),
    calls: (inner?.unwrapped.calls ?? []).map((call) => ({ ...call, state: "asserted" as const })),
    named,
    controllers: [],
    payees: [],
    trail: new MoneyTrail(quiet),
    markets: new Markets(quiet),
    isProven: () => false,
    isPrecompile: precompilesIn(file, ruleset)(quiet.logs),
    signed,
    labels,
    ruleset,
  };
}

/** Entry of `grants`, for contracts such as Permit2. */
function managerOf(contract: Address | null, { grants }: Ruleset): GrantEvent | null {
  const events = [...grants.events.values()].flat();
  return (
    events.find(({ contracts, amount }) => contract !== null && amount !== null && contracts.has(contract)) ?? null
  );
}

function grantOf(
  { token, spender, amount, endless, until, id }: GivenRight,
  owner: Address,
  manager: GrantEvent | null,
): SignedGrant {
  const kind = id !== null ? "nft" : amount === null ? "operator" : manager === null ? "erc20" : "managed";
  return {
    owner,
    kind,
    manager,
    token,
    grantee: spender,
    amount: endless && manager === null ? unlimitedThreshold : amount,
    expiration: until,
  };
}
