import type { Reporter } from "../../../documents/reporter.ts";
import type { WrittenPlaces } from "../written-places.ts";
import { isEntry, listed, mapEntry, type SaidEntry } from "./entry.ts";

/** Roles by address, as the normal form has them; the author writes them by label. */
export function saidContracts(contracts: SaidEntry, places: WrittenPlaces, reporter: Reporter | undefined): SaidEntry {
  return mapEntry(contracts, (stated, role) => {
    const { source, ...labels } = stated as SaidEntry;
    const out: SaidEntry = source === undefined ? {} : { source };
    for (const { label, address, own, path } of addressesOf(labels)) {
      const at = ["contracts", role, address];
      const from = ["contracts", role, label];
      if (Object.hasOwn(out, address))
        reporter?.report("RL208", [...from, ...path], `\`${address}\` stands in this role already`);
      places.mark(at, { path: from, key: true, asKey: { path: [...from, ...path], fixed: true } });
      if (own !== undefined) places.mark([...at, "source"], { path: [...from, ...path.slice(0, -1), "source"] });
      out[address] = own === undefined ? label : { label, source: own };
    }
    return out;
  });
}

interface LabelledAddress {
  label: string;
  address: string;
  /** Its own source. */
  own: unknown;
  /** In the value of the label. */
  path: (string | number)[];
}

/** By label: an address, a list of them, or `{ at, source }`. */
function addressesOf(labels: SaidEntry): LabelledAddress[] {
  return Object.entries(labels).flatMap(([label, value]) => placed(value, []).map((one) => ({ label, ...one })));
}

function placed(value: unknown, path: (string | number)[]): Omit<LabelledAddress, "label">[] {
  if (Array.isArray(value)) return value.flatMap((one, i) => placed(one, [...path, i]));
  if (!isEntry(value)) return [{ address: String(value), own: undefined, path }];
  return listed(value.at).map((address, i) => {
    const inside = Array.isArray(value.at) ? ["at", i] : ["at"];
    return { address: String(address), own: value.source, path: [...path, ...inside] };
  });
}
