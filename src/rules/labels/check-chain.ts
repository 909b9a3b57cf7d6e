import type { DocumentPath } from "../documents/source-document.ts";
import type { BlockTimeEntry, LabelEntries, Located, Report } from "./entry.ts";

export function chainAddresses({
  deposits,
  precompiles,
}: LabelEntries): { entry: Located<unknown>; within: DocumentPath; text: string }[] {
  return [
    ...deposits.flatMap((entry) => [
      { entry, within: ["from"], text: entry.value.from },
      { entry, within: ["to"], text: entry.value.to },
    ]),
    ...precompiles.map((entry) => ({ entry, within: ["address"], text: entry.value.address })),
  ];
}

/** LB118 and LB119: unlisted upgrades, impossible times. */
export function checkChain(entries: LabelEntries, report: Report): void {
  const { upgrades, gas_caps: caps, deposits, precompiles } = entries;
  const known = new Set(upgrades.map(({ value }) => value.name));
  for (const entry of [...caps, ...deposits, ...precompiles]) {
    const { since } = entry.value;
    if (since === undefined || known.has(since)) continue;
    const message = `The upgrade \`${since}\` is not listed; one of ${[...known].join(", ")} was expected.`;
    report(entry, ["since"], "LB118", message);
  }
  for (const entry of upgrades) checkMoment(entry, ["activates"], entry.value.activates, report);
  for (const entry of entries.block_times) checkMoment(entry, ["at"], entry.value.at, report);
  checkBlockTimes(entries.block_times, report);
}

/** Finds moments such as the 31st of September. */
function checkMoment(entry: Located<unknown>, within: DocumentPath, text: string, report: Report): void {
  const time = Date.parse(text);
  if (!Number.isNaN(time) && new Date(time).toISOString() === text.replace("Z", ".000Z")) return;
  report(entry, within, "LB119", `The moment \`${text}\` does not exist; a day of the calendar was expected.`);
}

/** A cadence that begins before the last block of the one before. */
function checkBlockTimes(times: readonly Located<BlockTimeEntry>[], report: Report): void {
  const ordered = times.toSorted((a, b) => a.value.from_block - b.value.from_block);
  for (const [i, entry] of ordered.entries()) {
    const before = ordered[i - 1]?.value;
    if (before === undefined) continue;
    const last = Date.parse(before.at) + before.ms * (entry.value.from_block - 1 - before.from_block);
    if (entry.value.from_block > before.from_block && Date.parse(entry.value.at) >= last) continue;
    const message = `Block ${entry.value.from_block} is made before the one before it, of ${new Date(last).toISOString()}; a later moment was expected.`;
    report(entry, ["at"], "LB119", message);
  }
}
