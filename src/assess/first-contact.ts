import { type Address, checksum } from "../kernel/address.ts";
import type { HistoryLookup } from "../model/risk-lookups.ts";
import { state } from "../ruleset/wording/phrases.ts";
import type { Examined } from "./examine.ts";
import type { Finding } from "./finding.ts";
import { findTwin } from "./poisoning.ts";
import { nameRole, type Role } from "./role.ts";
import type { SubjectAct } from "./subject-act.ts";

/** Whom the check is about: addresses without a label that the subject called, paid or gave a right to. */
export function findUntrusted(examined: readonly Examined[], act: SubjectAct): Examined[] {
  const own = ownAddresses(act);
  let givers: ReadonlySet<Address> | undefined;
  const isMarket = (address: Address): boolean => {
    if (act.file.risk?.verification[address]?.code !== "contract") return false;
    givers ??= findGivers(act);
    return givers.has(address);
  };
  return examined.filter(({ address, roles }) => {
    if (!roles.some((role) => counted.has(role))) return false;
    if (act.labels.name(address) !== undefined || act.labels.token(address) !== undefined) return false;
    if (own.has(address) || isOwnSafe(address, act)) return false;
    return !(roles.every((role) => role === "recipient") && isMarket(address));
  });
}

const counted: ReadonlySet<Role> = new Set(["recipient", "spender", "operator", "controller", "called"]);

/** `unasked`: no history was read for this subject. */
export type Acquaintance = "known" | "new" | "undecidable" | "failed" | "unasked";

/** Whether the subject dealt with an address before, as far as its history can tell. */
export function acquaintance({ address, roles }: Examined, { file, subject }: SubjectAct): Acquaintance {
  const history: HistoryLookup | undefined = file.risk?.history[subject];
  if (history === undefined) return "unasked";
  if (history.status === "unavailable") return "failed";
  if (history.counterparties.includes(address)) return "known";
  if (!history.complete || history.unordered.includes(address)) return "undecidable";
  // Approvals that an account made through its code are in no list.
  const granted = roles.includes("spender") || roles.includes("operator");
  return granted && history.through_code ? "undecidable" : "new";
}

/** Those of them with whom the subject has provably never dealt before. */
export function judgeFirstContact(untrusted: readonly Examined[], act: SubjectAct): Finding[] {
  return untrusted
    .filter((one) => acquaintance(one, act) === "new")
    .map((one): Finding => {
      const { address, roles } = one;
      const role = roles.find((candidate) => counted.has(candidate)) ?? roles[0];
      const known = act.file.risk?.history[act.subject]?.counterparties ?? [];
      const twin = findTwin(address, known);
      const met = { account: act.subject, party: nameRole(role, address) };
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
        evidence: [`lookup history ${checksum(act.subject)}`],
      };
    });
}

/** Whoever sends for the subject, and what was created here. */
function ownAddresses({ tx }: SubjectAct): ReadonlySet<Address | null> {
  const created = tx.calls.filter(({ ok, kind }) => ok && (kind === "create" || kind === "create2"));
  return new Set([tx.from, tx.created, ...created.map(({ to }) => to)]);
}

/** A Safe that the subject owns, under a singleton that we know. */
function isOwnSafe(address: Address, { file, labels }: SubjectAct): boolean {
  const code = file.risk?.verification[address];
  return code?.owned === true && code.logic.some((logic) => labels.name(logic) !== undefined);
}

/**
 * Accounts that gave more of an asset than they got. A contract that gives another asset for what it gets is a market that a trade
 * passed through, not whom one deals with.
 */
function findGivers({ tx }: SubjectAct): ReadonlySet<Address> {
  const nets = new Map<string, { account: Address; amount: bigint }>();
  for (const { token, tokenId, from, to, amount } of tx.movements)
    for (const [account, change] of [
      [to, amount],
      [from, -amount],
    ] as const) {
      const key = `${account}${token}${tokenId}`;
      nets.set(key, { account, amount: (nets.get(key)?.amount ?? 0n) + change });
    }
  return new Set([...nets.values()].flatMap(({ account, amount }) => (amount < 0n ? account : [])));
}
