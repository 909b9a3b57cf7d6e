import { type Address, checksum } from "../kernel/address.ts";
import type { HistoryLookup } from "../model/risk-lookups.ts";
import { state } from "../ruleset/wording/phrases.ts";
import type { Examined } from "./examine.ts";
import type { Finding } from "./finding.ts";
import { findTwin } from "./poisoning.ts";
import { nameRole, type Role } from "./role.ts";
import type { SubjectAct } from "./subject-act.ts";

/** Whom the check is about: strangers that the subject called, paid or gave a right to, one after the other. */
export function strangers(examined: readonly Examined[], act: SubjectAct): Examined[] {
  return examined.filter(({ address, roles }) => {
    if (!roles.some((role) => counted.has(role))) return false;
    if (act.labels.name(address) !== undefined || act.labels.token(address) !== undefined) return false;
    return !isOwn(address, act) && !(roles.every((role) => role === "recipient") && isMarket(address, act));
  });
}

const counted: ReadonlySet<Role> = new Set(["recipient", "spender", "operator", "called"]);

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

/** Strangers that the subject has provably never dealt with before. */
export function judgeFirstContact(examined: readonly Examined[], act: SubjectAct): Finding[] {
  return strangers(examined, act)
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

/** Created by the subject here, a Safe of its own under a singleton that we know, or whoever sends for it. */
function isOwn(address: Address, { tx, file, labels }: SubjectAct): boolean {
  if (address === tx.from || address === tx.created) return true;
  const created = tx.calls.some(
    (call) => call.ok && call.to === address && (call.kind === "create" || call.kind === "create2"),
  );
  const code = file.risk?.verification[address];
  return created || (code?.owned === true && code.logic.some((logic) => labels.name(logic) !== undefined));
}

/** A contract that gives another asset for what it gets is a market that a trade passed through, not whom one deals with. */
function isMarket(address: Address, { tx, file }: SubjectAct): boolean {
  if (file.risk?.verification[address]?.code !== "contract") return false;
  const net = new Map<string, bigint>();
  for (const move of tx.movements) {
    const key = `${move.token}${move.tokenId}`;
    if (move.to === address) net.set(key, (net.get(key) ?? 0n) + move.amount);
    if (move.from === address) net.set(key, (net.get(key) ?? 0n) - move.amount);
  }
  return [...net.values()].some((amount) => amount < 0n);
}
