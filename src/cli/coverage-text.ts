import type { CoverageReport, Share, UnexplainedPlace } from "./coverage.ts";
import { formatFields, formatTable } from "./table.ts";

const shownPlaces = 25;

/** For people at a terminal. Ends with a newline. */
export function formatCoverage(report: CoverageReport): string {
  const { cases, typed, partial, movements, calls, unexplained, unreadable } = report;
  const rest = unexplained.length - shownPlaces;
  return formatFields([
    ["cases", String(cases)],
    ["typed", `${percent(typed, cases)} (${typed})`],
    ["partial", `${percent(partial, cases)} (${partial})`],
    ["movements", `${shareText(movements)} of the subjects' are explained`],
    ["calls", `${shareText(calls)} of the subjects' are explained`],
    ["unreadable", unreadable.length === 0 ? "" : `${unreadable.length} files`],
    ["left over", placesText(unexplained.slice(0, shownPlaces))],
    ["", rest > 0 ? `and ${rest} more; --json lists all` : ""],
  ]);
}

function placesText(places: readonly UnexplainedPlace[]): string {
  return formatTable(
    places.map(({ address, label, selector, topic0, cases }) => [
      String(cases),
      address,
      selector === null ? `event ${topic0 ?? "without topic"}` : `call ${selector === "0x" ? "plain" : selector}`,
      label ?? "",
    ]),
    { rightAligned: [0] },
  );
}

function shareText({ explained, total }: Share): string {
  return `${percent(explained, total)} (${explained} of ${total})`;
}

/** One decimal, and never 100 while one is left. */
function percent(part: number, whole: number): string {
  return whole === 0 ? "100.0 %" : `${(Math.floor((part * 1000) / whole) / 10).toFixed(1)} %`;
}
