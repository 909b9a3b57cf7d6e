import { type Address, checksum } from "../../kernel/address.ts";
import { type Members, membersOf } from "../../kernel/lists.ts";
import { isLabelled } from "../../model/label.ts";
import type { HistoryLookup } from "../../model/risk-lookups.ts";
import type { Call } from "../../model/transaction.ts";
import { state } from "../../rules/ruleset/wording/phrases.ts";
import { isGivenAway } from "../money/fair-price.ts";
import { assetKeyOf } from "../money/trail.ts";
import { balanceChanges } from "../normalize/balance-changes.ts";
import { movementsOf } from "../normalize/movement-index.ts";
import type { Examined } from "./examined/examine.ts";
import { nameRole, type Role } from "./examined/role.ts";
import type { Finding } from "./finding.ts";
import { findTwin } from "./poisoning.ts";
import type { SubjectAct } from "./subject-act.ts";

/**
 * Without a label: called, paid or given a right by the subject; paid or given a right by another principal. Calls count for the subject
 * alone: a sender may call for others.
 */
export function findUntrusted(examined: readonly Examined[], act: SubjectAct): Examined[] {
  if (examined.length === 0) return [];
  const own = ownAddresses(act);
  let emitters: ReadonlySet<Address> | undefined;
  const emits = (address: Address): boolean => {
    emitters ??= new Set(act.tx.logs.map((log) => log.address));
    return emitters.has(address);
  };
  return examined.filter(({ address, roles, account, dealt }) => {
    if (!dealt) return false;
    if (!roles.some((role) => counted.has(role) && (role !== "called" || account === act.subject))) return false;
    if (isLabelled(act.labels, address)) return false;
    if (own.has(address) || isOwnSafe(address, act)) return false;
    return !(roles.every((role) => role === "recipient") && isMarket({ address, account }, act, emits));
  });
}

const counted: ReadonlySet<Role> = new Set(["recipient", "spender", "operator", "controller", "called"]);

/** `unasked`: no history of the subject was read. `failed`: reading it failed. */
export type Acquaintance = "known" | "new" | "undecidable" | "failed" | "unasked";

/** Before this transaction, as far as the history shows. */
export function acquaintance({ address, roles, account }: Examined, { file, subject }: SubjectAct): Acquaintance {
  const history: HistoryLookup | undefined = file.risk?.history[account];
  // Only a few histories are read, the subject's among them.
  if (history === undefined) return account === subject ? "unasked" : "undecidable";
  if (history.status === "unavailable") return "failed";
  if (history.counterparties.includes(address)) return "known";
  if (!history.complete || history.unordered.includes(address)) return "undecidable";
  // A history does not list approvals made through the account's code.
  const granted = roles.includes("spender") || roles.includes("operator");
  return granted && history.through_code ? "undecidable" : "new";
}

/** Only for addresses that are provably new. */
export function judgeFirstContact(untrusted: readonly Examined[], act: SubjectAct): Finding[] {
  return untrusted
    .filter((one) => acquaintance(one, act) === "new")
    .map((one): Finding => {
      const { address, roles, account } = one;
      const role = roles.find((candidate) => counted.has(candidate)) ?? roles[0];
      const known = act.file.risk?.history[account]?.counterparties ?? [];
      const twin = findTwin(address, known);
      const met = { account, party: nameRole(role, address) };
      return {
        flag: "first_time_counterparty",
        statement:
          twin === undefined
            ? state("flag.first_contact", met)
            : state("flag.first_contact_twin", {
                ...met,
                prefix: twin.prefix,
                suffix: twin.suffix,
                known: twin.address,
              }),
        address,
        role,
        basis: twin === undefined ? "history" : "lookalike_of_known",
        evidence: [`lookup history ${checksum(account)}`],
      };
    });
}

/** Who sends for the subject, and what a principal created, itself or through known contracts. */
function ownAddresses({ tx, principals, labels }: SubjectAct): Members<Address | null> {
  if (!tx.traced) return membersOf([tx.from, tx.created]);
  const { calls } = tx;
  const isPrincipals = ({ from, parent }: Call): boolean => {
    if (principals.has(from)) return true;
    // A known factory creates for its caller.
    const asked = labels.name(from) === undefined ? undefined : calls[parent];
    return asked !== undefined && isPrincipals(asked);
  };
  const created = calls.filter((call) => {
    return call.ok && (call.kind === "create" || call.kind === "create2") && isPrincipals(call);
  });
  return membersOf([tx.from, tx.created, ...created.map(({ to }) => to)]);
}

/** Owned by the subject, and runs a known singleton. */
function isOwnSafe(address: Address, { file, labels }: SubjectAct): boolean {
  const code = file.risk?.verification[address];
  return code?.owned === true && code.logic.some((logic) => labels.name(logic) !== undefined);
}

/**
 * A market that a trade passed through: it gives another asset for what it gets. Not proven by a token that anybody could make, unless the
 * account called only known contracts, nor where the account got next to nothing.
 */
function isMarket(
  { address, account }: Pick<Examined, "address" | "account">,
  act: SubjectAct,
  emits: (address: Address) => boolean,
): boolean {
  const code = act.file.risk?.verification[address]?.code ?? null;
  // Without a read, its own logs prove code.
  if (code !== "contract" && (code !== null || !emits(address))) return false;
  if (act.isProven(address)) return true;
  if (isGivenAway(balanceChanges(act.tx, account), act.tx, act.labels)) return false;
  const moved = movementsOf(act.tx.movements, address);
  const got = new Set(moved.filter((move) => move.to === address && move.amount > 0n).map(assetKeyOf));
  const isOther = (asset: string) => [...got].some((key) => key !== asset);
  const towards = [...act.markets.givenTowards(account, address)];
  if (towards.some((asset) => isOther(asset) && (asset === "native" || act.tx.listed.has(asset as Address))))
    return true;
  return asksOnlyKnown(account, act) && moved.some((move) => move.from === address && isOther(assetKeyOf(move)));
}

/** It called something, and every innermost contract is known. */
function asksOnlyKnown(account: Address, { calls, labels }: SubjectAct): boolean {
  const parents = new Set(calls.map((call) => call.parent));
  const asked = calls.filter((call) => call.actor === account && call.step === null && !parents.has(call.id));
  return asked.length > 0 && asked.every(({ to }) => isLabelled(labels, to));
}
