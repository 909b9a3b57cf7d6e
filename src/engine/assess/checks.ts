import type { Address } from "../../kernel/address.ts";
import { addTo } from "../../kernel/lists.ts";
import type { CheckStatus, Checks } from "../../model/explanation.ts";
import type { DrainerList } from "../../model/risk-lookups.ts";
import { type Fill, type PhraseId, type Statement, state } from "../../rules/ruleset/wording/phrases.ts";
import type { Examination, Examined } from "./examined/examine.ts";
import { acquaintance } from "./first-contact.ts";
import { unmeasured } from "./grants/allowance.ts";
import { coverageOf } from "./published-code.ts";
import type { SubjectAct } from "./subject-act.ts";

/** How far each check reached, and the reasons where it did not reach everything. */
export interface CheckResults extends Omit<Checks, "unchecked_addresses" | "note"> {
  unchecked: readonly Address[];
  notes: readonly Statement[];
}

/** Records how far each check reached, from the lookups in the case file. */
export function recordChecks(examination: Examination, untrusted: readonly Examined[], act: SubjectAct): CheckResults {
  if (act.file.risk === undefined) return noLookups;
  const code = withUnfollowed(checkCode(examination.withCode, act), examination);
  const contact = withUnclear(withUnfollowed(checkContact(untrusted, act), examination), examination);
  const lists = withUnmentioned(withUnfollowed(checkLists(examination.addresses, act), examination), examination);
  const supplies = unmeasured(examination.grants, act);
  const statuses = {
    contract_verification: code.status,
    first_interaction: contact.status,
    drainer_blacklist: lists.status,
  };
  // Tokens without a known supply: only the largest numbers of a type are certainly unlimited for them.
  const unread = count("check.supply_unread", supplies.length);
  const complete = Object.values(statuses).every((status) => status === "ok" || status === "not_applicable");
  return {
    ...statuses,
    unchecked: code.unchecked,
    notes: complete ? [] : [...code.notes, ...contact.notes, ...lists.notes, ...unfollowed(examination), ...unread],
  };
}

/** Lowers the status where a log has two readings: as a new allowance, or as the rest of an old one. */
function withUnclear(contact: CheckResult, { grants }: Examination): CheckResult {
  const unclear = grants.filter(({ uncertain, stands }) => uncertain && stands).length;
  if (unclear === 0) return contact;
  const status = contact.status === "unavailable" ? contact.status : "inconclusive";
  return { ...contact, status, notes: [...contact.notes, ...count("check.allowance_unclear", unclear)] };
}

/** Lowers the status where money was not followed to the end: whoever has it now was not examined. */
function withUnfollowed(check: CheckResult, examination: Examination): CheckResult {
  const isClaim = check.status === "ok" || check.status === "not_applicable";
  return isClaim && unfollowed(examination).length > 0 ? { ...check, status: "partial" } : check;
}

/** Lowers the status of the lists where not everybody was looked up whom calls and events name. */
function withUnmentioned(lists: CheckResult, { unmentioned }: Examination): CheckResult {
  if (unmentioned === 0 || (lists.status !== "ok" && lists.status !== "not_applicable")) return lists;
  return { ...lists, status: "partial", notes: [...lists.notes, ...count("check.mentioned_cut", unmentioned)] };
}

function unfollowed({ unfollowed, unseen }: Examination): Statement[] {
  return [...count("check.money_cut", unfollowed), ...count("check.ether_unseen", unseen)];
}

const noLookups: CheckResults = {
  contract_verification: "unavailable",
  first_interaction: "unavailable",
  drainer_blacklist: "unavailable",
  unchecked: [],
  notes: [state("check.no_lookups", {})],
};

interface CheckResult {
  status: CheckStatus;
  notes: Statement[];
  unchecked: Address[];
}

const nothing: CheckResult = { status: "not_applicable", notes: [], unchecked: [] };

function checkCode(examined: readonly Examined[], act: SubjectAct): CheckResult {
  if (examined.length === 0 || !meetsCode(examined, act)) return nothing;
  const by = groupBy(examined, (one) => coverageOf(one, act));
  const [missing, failed, uncovered, undecidable] = (["missing", "failed", "uncovered", "undecidable"] as const).map(
    (coverage) => by.get(coverage)?.length ?? 0,
  ) as [number, number, number, number];
  const reached = examined.length - missing - failed - uncovered;
  const keyless = (by.get("failed") ?? []).filter(({ address }) => act.file.risk?.verification[address]?.reason).length;
  const notes = [
    ...count("check.beyond_limit", missing),
    ...count("check.source_unavailable", failed - keyless),
    ...count("check.source_key", keyless),
    ...count("check.diamond", uncovered),
    ...count("check.code_undecidable", undecidable),
  ];
  const unchecked = (by.get("missing") ?? []).map((one) => one.address);
  const lacking = missing + failed + uncovered > 0;
  const status =
    failed > 0 && reached === 0 ? "unavailable" : lacking ? "partial" : undecidable > 0 ? "inconclusive" : "ok";
  return { status, notes, unchecked };
}

/** Whether somebody with code was called, or given anything: false only where everybody's code was looked up, and none has any. */
function meetsCode(examined: readonly Examined[], { calls, file, tx }: SubjectAct): boolean {
  if (tx.logs.length > 0) return true;
  const hasCode = (address: Address) => file.risk?.verification[address]?.code !== "none";
  return examined.some(({ address }) => hasCode(address)) || calls.some(({ to }) => to !== null && hasCode(to));
}

function checkContact(asked: readonly Examined[], act: SubjectAct): CheckResult {
  if (asked.length === 0) return nothing;
  const by = groupBy(asked, (one) => acquaintance(one, act));
  if (by.has("unasked")) return unavailable("check.history_unasked");
  if (by.has("failed")) {
    const keyless = by.get("failed")?.some(({ account }) => act.file.risk?.history[account]?.reason);
    return unavailable(keyless ? "check.history_key" : "check.history_unavailable");
  }
  const undecidable = by.get("undecidable")?.length ?? 0;
  if (undecidable === 0) return { ...nothing, status: "ok" };
  return { status: "inconclusive", notes: count("check.history_inconclusive", undecidable), unchecked: [] };
}

function checkLists(examined: readonly Examined[], { file }: SubjectAct): CheckResult {
  const drainers = file.risk?.drainers;
  if (examined.length === 0 || drainers === undefined) return nothing;
  const loaded = drainers.lists.filter((list) => list.snapshot_time !== null);
  if (loaded.length === 0)
    return unavailable(drainers.lists.length === 0 ? "check.no_list" : "check.lists_unavailable");
  const old = onlyOld(loaded, drainers.time);
  const asked = new Set(drainers.asked);
  const unasked = examined.filter(({ address }) => !asked.has(address)).length;
  const stale = loaded.filter((list) => list.stale).length + drainers.lists.length - loaded.length;
  const notes = [...old, ...count("check.lists_stale", stale), ...count("check.after_lists", unasked)];
  const status = old.length > 0 ? "inconclusive" : notes.length === 0 ? "ok" : "partial";
  return { status, notes, unchecked: [] };
}

/** Says so where no list knows the drainers of the last months. */
function onlyOld(lists: readonly DrainerList[], time: string): Statement[] {
  const newest = lists.map(knownUntil).reduce((latest, day) => (day > latest ? day : latest));
  return Date.parse(time) - Date.parse(newest) > freshMs ? [state("check.lists_old", { date: newest })] : [];
}

/** The day until which a list knows drainers: that of its newest entry, or where this is not known, that on which it was fetched. */
function knownUntil({ newest_entry, snapshot_time }: DrainerList): string {
  const fetched = snapshot_time?.slice(0, 10) ?? "";
  return newest_entry && newest_entry < fetched ? newest_entry : fetched;
}

/** Milliseconds for which a list without a new entry counts as kept up. */
const freshMs = 90 * 86_400_000;

function groupBy<K>(items: readonly Examined[], keyOf: (item: Examined) => K): Map<K, Examined[]> {
  const groups = new Map<K, Examined[]>();
  for (const item of items) addTo(groups, keyOf(item), item);
  return groups;
}

/** Phrases whose only value is a count. */
type CountedPhrase = { [I in PhraseId]: Fill<I> extends { count: number } ? I : never }[PhraseId & `check.${string}`];

/** The statement with this count; an empty list for 0. */
function count(says: CountedPhrase, number: number): Statement[] {
  return number === 0 ? [] : [state(says, { count: number })];
}

function unavailable(says: Exclude<PhraseId & `check.${string}`, CountedPhrase>): CheckResult {
  return { status: "unavailable", notes: [state(says, {})], unchecked: [] };
}
