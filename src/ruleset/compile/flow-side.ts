import type { FlowSide } from "../compiled.ts";
import type { SideEntry } from "../document/rule-document.ts";
import { getter } from "./capture.ts";
import type { PathScope } from "./path.ts";
import type { FileScope } from "./scope.ts";

const many = Number.MAX_SAFE_INTEGER;
const quantities: Record<string, [number, number]> = {
  nothing: [0, 0],
  one: [1, 1],
  two: [2, 2],
  some: [1, many],
  several: [2, many],
};
const kinds = new Set(["fungible", "native", "erc20", "nft"]);

/** The words that a short form may use, for messages and documentation. */
export const sideWords: readonly string[] = ["any", ...Object.keys(quantities)];

/**
 * Compiles one side of `flow:`. Short form: `nothing`, `any`, or `<one|two|some|several> [fungible|native|erc20|nft]`;
 * `one` and `two` admit nothing else on that side, `some` and `several` do. Undefined means `any`.
 */
export function compileSide(
  file: FileScope,
  scope: PathScope,
  entry: SideEntry | undefined,
  at: (string | number)[],
): FlowSide | null {
  if (entry === undefined || entry === "any") return null;
  if (typeof entry === "string") return shortForm(file, entry, at);
  const exact = entry.count;
  const token = entry.token === undefined ? undefined : getter(file, scope, entry.token, ["address"], [...at, "token"]);
  return {
    min: exact ?? entry.min ?? 1,
    max: exact ?? entry.max ?? many,
    kind: (entry.kind ?? "any") as FlowSide["kind"],
    others: entry.others ?? exact === undefined,
    token: token ?? null,
    unseen: false,
  };
}

function shortForm(file: FileScope, entry: string, at: (string | number)[]): FlowSide | null {
  const [word = "", kind, ...rest] = entry.split(" ");
  const quantity = quantities[word];
  if (quantity === undefined || rest.length > 0 || (kind !== undefined && !kinds.has(kind))) {
    file.reporter.report(
      "RL306",
      at,
      `\`${entry}\` is no flow: write nothing, any, or one, two, some, several with fungible, native, erc20 or nft`,
    );
    return null;
  }
  return {
    min: quantity[0],
    max: quantity[1],
    kind: (kind ?? "any") as FlowSide["kind"],
    others: word === "some" || word === "several",
    token: null,
    unseen: false,
  };
}
