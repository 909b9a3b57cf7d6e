import { describe, expect, it } from "vitest";
import { compileSources } from "../../../src/rules/ruleset/load.ts";
import { marketFile } from "./rule-text.ts";

const actions = `protocol:
  bridge_out: { definition: Assets left for another chain, does: bridge assets }
  bridge_in: { definition: Assets came from brides elsewhere, does: bridge assets }
  vault_deposit: { definition: Somebody filled a vault, does: fill a vault }
  claim: { definition: What rewards there were is taken, does: claim it }
  token_swap: { definition: One token became another, does: swap tokens }
fallback:
  other: { definition: None of the depot of types, does: do something }
`;

function told(action: string) {
  const rule = `rules:\n  - { id: a, say: "do it", action: ${action}, anchor: { call: move }, at: pool }\n`;
  const { diagnostics } = compileSources([
    { file: "rules/actions.yaml", text: actions },
    { file: "rules/market.yaml", text: marketFile(rule) },
  ]);
  return diagnostics.map(({ code, message, suggest, help }) => ({ code, message, suggest, help }));
}

const help =
  "There are bridge_out, bridge_in, vault_deposit, claim, token_swap, other. rules/actions.yaml says what each means; the list is closed.";

describe("an action type that there is not", () => {
  it.each<[string, string, string | undefined]>([
    // A slip of the pen.
    ["clame", "", "claim"],
    ["bridge_on", "", "bridge_in"],
    // A part of one name.
    ["swap_it", "", "token_swap"],
    ["deposit_now", "", "vault_deposit"],
    // A part of several names.
    ["bridge_token_over", "; perhaps `bridge_out` or `bridge_in` or `token_swap`", undefined],
    ["bridge_over", "; perhaps `bridge_out` or `bridge_in`", undefined],
    // A hint from the words of a definition. Endings of long words do not count.
    ["rewarded", "; perhaps `claim`", undefined],
    ["rewalk", "; perhaps `claim`", undefined],
    ["elsewhere_chained", "; perhaps `bridge_out` or `bridge_in`", undefined],
    // Words with three letters, and words with too few letters left, give no hint.
    ["the_out_was", "", undefined],
    ["depossess", "", undefined],
    // It begins otherwise.
    ["dewards", "", undefined],
    ["xyzzy", "", undefined],
  ])("%s is refused%s, with %s in its place", (action, hint, suggest) => {
    expect(told(action)).toEqual([{ code: "RL204", message: `\`${action}\` is no action type${hint}`, suggest, help }]);
  });
});
