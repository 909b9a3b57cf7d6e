import { fileURLToPath } from "node:url";
import type { CaseFile } from "../../src/model/case-file.ts";
import type { Labels } from "../../src/model/label.ts";
import { compileLabels } from "../../src/rules/labels/load.ts";
import type { FileScope } from "../../src/rules/ruleset/compile/spot.ts";
import { compileSources } from "../../src/rules/ruleset/load.ts";
import type { Ruleset } from "../../src/rules/ruleset/ruleset.ts";
import { buildCase } from "../../src/tools/lint/examples/given.ts";
import { GivenNames } from "../../src/tools/lint/examples/given-names.ts";
import { encodeCall, readInteger, readParty } from "../../src/tools/lint/examples/given-values.ts";
import { findSources } from "../../src/tools/lint/sources.ts";
import type { InnerCall } from "./envelopes.ts";

/** The shipped rules and labels, and what the names in inline examples mean there (`protocol/role`, `protocol/Event`). */
export interface World {
  ruleset: Ruleset;
  labels: Labels;
  scopes: ReadonlyMap<string, FileScope>;
}

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Reads the shipped rules and labels once. */
export function shippedWorld(): World {
  const sources = findSources([`${root}rules`, `${root}labels`]);
  const { ruleset, files } = compileSources(sources.rules);
  const { labels } = compileLabels(sources.labels, ruleset.names);
  const scopes = new Map(
    files.flatMap(({ document, scope }) =>
      document === undefined || scope === undefined ? [] : [[document.protocol, scope] as const],
    ),
  );
  return { ruleset, labels, scopes };
}

/** One call of a case, as written. */
export interface GivenCall {
  to: string;
  value?: string;
  call?: Record<string, unknown>;
}

/** The facts of one transaction: `given` of an example without its envelope, and the subject's calls. */
export interface GivenActs {
  calls: GivenCall[];
  logs?: unknown[];
  native?: unknown[];
  tokens?: Record<string, unknown>;
  status?: "success" | "reverted";
}

/**
 * Gives the case in which the subject sends its call itself, and the list of its calls for envelopes that carry them. Throws GivenError.
 */
export function readActs(acts: GivenActs, world: World): { plain: CaseFile; calls: InnerCall[] } {
  const names = new GivenNames(anyScope(world), (protocol) => world.scopes.get(protocol), world.labels);
  const calls = acts.calls.map((one): InnerCall => {
    const [name, args] = Object.entries(one.call ?? {})[0] ?? [];
    const item = name === undefined ? undefined : names.item(name);
    if (name !== undefined && item?.kind !== "function") throw new Error(`no function ${name}`);
    return {
      to: readParty(one.to, names, []),
      value: readInteger(one.value ?? "0", []),
      data: (item?.kind === "function" ? encodeCall(item, args, names, []) : "0x") as `0x${string}`,
    };
  });
  const [first] = calls;
  if (first === undefined) throw new Error("a case has at least one call");
  const { calls: _, ...rest } = acts;
  const given = { from: "alice", to: first.to, value: String(first.value), data: first.data, ...rest };
  return { plain: buildCase(given, names), calls };
}

function anyScope(world: World): FileScope {
  const scope = world.scopes.get("erc20");
  if (scope === undefined) throw new Error("there is no rule file erc20");
  return scope;
}
