import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { root } from "../../support/shared.ts";
import { runRuleLintHere } from "./rule-lint-here.ts";
import type { LintEnded } from "./rule-lint-process.ts";

/** A lock of tokens at a protocol for which the copy has no rules. */
export const lock = "0x560a5e279a7f1b9c89dca3d7f93da11c9418037c0362f01b443d50967a719d5d";

/** Rules that refer only to each other. Rules of the transactions that tests draft from are not among them. */
const kept = [
  ...["actions.yaml", "rewards/degen.yaml", "standards"],
  ...["aerodrome", "aerodrome-slipstream", "sushiswap", "uniswap-v2", "uniswap-v2-and-v3", "uniswap-v3"].map(
    (name) => `dex/${name}.yaml`,
  ),
];

/**
 * A copy of the repository's rules with only a few protocols, and `rule-lint` that runs in it. The copy is deleted after the tests of the
 * file.
 */
export function openRuleCopy() {
  const copy = mkdtempSync(join(tmpdir(), "txgloss-new-"));
  for (const part of ["labels", "schemas", ...kept.map((name) => `rules/${name}`)])
    cpSync(join(root, part), join(copy, part), { recursive: true });
  for (const family of ["accounts", "aggregators", "nft", "payments", "social", "yield"])
    mkdirSync(join(copy, "rules", family));
  afterAll(() => rmSync(copy, { recursive: true }));
  const run = Object.assign((...args: string[]): Promise<LintEnded> => runRuleLintHere(args, { cwd: copy }), {
    with: (env: Record<string, string>, ...args: string[]) => runRuleLintHere(args, { cwd: copy, env }),
  });
  return { copy, run };
}
