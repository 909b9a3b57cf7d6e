import { type Address, checksum } from "../kernel/address.ts";
import type { CheckStatus, Checks } from "../model/explanation.ts";
import type { Examination, Examined } from "./examine.ts";
import { acquaintance, strangers } from "./first-contact.ts";
import { unmeasured } from "./grants/allowance.ts";
import { coverageOf } from "./published-code.ts";
import type { SubjectAct } from "./subject-act.ts";

/** How far each check reached, by what the lookups in the case answered. */
export function recordChecks(examination: Examination, act: SubjectAct): Checks {
  if (act.file.risk === undefined) return noLookups;
  const code = checkCode(examination.withCode, act);
  const contact = checkContact(examination.withCode, act);
  const lists = checkLists(examination.addresses, act);
  const unchecked = [...new Set([...code.unchecked, ...lists.unchecked])];
  const supplies = unmeasured(examination.grants, act.file);
  const notes = [code.note, contact.note, lists.note, ...(supplies.length > 0 ? [supplyNote(supplies)] : [])];
  return {
    contract_verification: code.status,
    first_interaction: contact.status,
    drainer_blacklist: lists.status,
    unchecked_addresses: unchecked.slice(0, uncheckedMax).map(checksum),
    note:
      notes
        .filter((note) => note !== null)
        .join(" ")
        .slice(0, noteCharsMax) || null,
  };
}

const noLookups: Checks = {
  contract_verification: "unavailable",
  first_interaction: "unavailable",
  drainer_blacklist: "unavailable",
  unchecked_addresses: [],
  note: "No lookups were made (LOOKUPS=off, or a recording without them): contract verification, first interaction and drainer lists were not checked.",
};

const uncheckedMax = 50;
const noteCharsMax = 1_000;

interface Outcome {
  status: CheckStatus;
  note: string | null;
  unchecked: Address[];
}

const nothing: Outcome = { status: "not_applicable", note: null, unchecked: [] };

function checkCode(examined: readonly Examined[], act: SubjectAct): Outcome {
  if (examined.length === 0) return nothing;
  const by = groupBy(examined, (one) => coverageOf(one, act));
  const [missing, failed, uncovered, undecidable] = (["missing", "failed", "uncovered", "undecidable"] as const).map(
    (coverage) => by.get(coverage)?.length ?? 0,
  ) as [number, number, number, number];
  const reached = examined.length - missing - failed - uncovered;
  const notes = [
    missing > 0 && `${count(missing, "address")} beyond the limit of lookups ${isOrAre(missing)} listed as unchecked.`,
    failed > 0 &&
      `Whether source code is published could not be learned for ${count(failed, "address")}; a retry may succeed.`,
    uncovered > 0 && `${count(uncovered, "diamond contract")} did not tell what code runs.`,
    undecidable > 0 && `What code ran at ${count(undecidable, "address")} cannot be told any more.`,
  ];
  const note = notes.filter((text) => text !== false).join(" ") || null;
  const unchecked = [...(by.get("missing") ?? []), ...(by.get("failed") ?? [])].map((one) => one.address);
  const lacking = missing + failed + uncovered > 0;
  const status =
    failed > 0 && reached === 0 ? "unavailable" : lacking ? "partial" : undecidable > 0 ? "inconclusive" : "ok";
  return { status, note, unchecked };
}

function checkContact(examined: readonly Examined[], act: SubjectAct): Outcome {
  const asked = strangers(examined, act);
  if (asked.length === 0) return nothing;
  const by = groupBy(asked, (one) => acquaintance(one, act));
  if (by.has("failed") || by.has("unasked")) {
    const why = by.has("unasked")
      ? "No history was read for the account"
      : "The history of the account could not be read";
    return { status: "unavailable", note: `${why}; a retry may succeed.`, unchecked: [] };
  }
  const undecidable = by.get("undecidable")?.length ?? 0;
  if (undecidable === 0) return { ...nothing, status: "ok" };
  const note = `The history that was read cannot prove whether the account dealt with ${count(undecidable, "address")} before.`;
  return { status: "inconclusive", note, unchecked: [] };
}

function checkLists(examined: readonly Examined[], { file }: SubjectAct): Outcome {
  const drainers = file.risk?.drainers;
  if (examined.length === 0 || drainers === undefined) return nothing;
  const loaded = drainers.lists.filter((list) => list.snapshot_time !== null);
  if (loaded.length === 0) {
    const why =
      drainers.lists.length === 0
        ? "No drainer list is configured."
        : "No drainer list could be loaded; a retry may succeed.";
    return { status: "unavailable", note: why, unchecked: [] };
  }
  const asked = new Set(drainers.asked);
  const unchecked = examined.map((one) => one.address).filter((address) => !asked.has(address));
  const stale = loaded.filter((list) => list.stale).length + drainers.lists.length - loaded.length;
  const notes = [
    stale > 0 && `${count(stale, "drainer list")} could not be renewed; what was known before was used.`,
    unchecked.length > 0 &&
      `${count(unchecked.length, "address")} came to light after the drainer lists were searched.`,
  ];
  const note = notes.filter((text) => text !== false).join(" ") || null;
  return { status: note === null ? "ok" : "partial", note, unchecked };
}

/** Without the supply only the largest numbers of a type are known to be endless. */
function supplyNote(tokens: readonly Address[]): string {
  return `The total supply of ${count(tokens.length, "token")} could not be read, so allowances were measured by their type alone.`;
}

function groupBy<K>(items: readonly Examined[], keyOf: (item: Examined) => K): Map<K, Examined[]> {
  const groups = new Map<K, Examined[]>();
  for (const item of items) {
    const key = keyOf(item);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : noun.endsWith("s") ? "es" : "s"}`;
}

function isOrAre(number: number): string {
  return number === 1 ? "is" : "are";
}
