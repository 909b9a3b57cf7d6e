import { checksum } from "../../../kernel/address.ts";
import type { VerifyReport } from "../../lint/facts/verify-sources.ts";
import { formatTable } from "../../terminal/table.ts";

const statuses = ["found", "moved", "absent", "uncheckable"] as const;

/** The result for people: sources that were moved or are absent (or `all`), and the counts. Ends with a newline. */
export function verifyText({ checked, support }: VerifyReport, all: boolean): string {
  const shown = checked.filter(({ status }) => all || status === "moved" || status === "absent");
  const rows = shown.map(({ fact: { file, role, address, label }, source, status, detail }) => {
    return [status, file, role, address === null ? label : checksum(address), source, detail];
  });
  const counts = statuses.map(
    (status) => `${counted(checked.filter((one) => one.status === status).length)} ${status}`,
  );
  const contracts = support.two + support.one + support.none;
  const share = contracts === 0 ? 0 : (100 * support.two) / contracts;
  return [
    ...(rows.length > 0 ? [formatTable(rows), ""] : []),
    `${counted(checked.length)} ${checked.length === 1 ? "source or check" : "sources and checks"}: ${counts.join(", ")}`,
    `${counted(contracts)} ${contracts === 1 ? "contract" : "contracts"} of rules: ${counted(support.two)} (${share.toFixed(1)} %) rest on two independent origins, or on one and the chain, ` +
      `${counted(support.one)} on one, ${counted(support.none)} on none that can be checked`,
    "",
  ].join("\n");
}

/** The result as one JSON object, with sources in the order of the files. Ends with a newline. */
export function verifyJson({ checked, support }: VerifyReport): string {
  const sources = checked.map(({ fact: { file, kind, role, address, label }, source, status, detail }) => {
    return { file, kind, role, address: address === null ? null : checksum(address), label, source, status, detail };
  });
  const counts = Object.fromEntries(
    statuses.map((status) => [status, sources.filter((one) => one.status === status).length]),
  );
  return `${JSON.stringify({ version: 1, counts, support, sources }, null, 2)}\n`;
}

function counted(count: number): string {
  return count.toLocaleString("en");
}
