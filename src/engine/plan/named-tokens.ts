import { type Address, isNativePlaceholder, readAddress } from "../../kernel/address.ts";
import type { MatchContext } from "../../model/match.ts";
import type { Value } from "../../rules/abi/abi-type.ts";
import { partsOf } from "../../rules/ruleset/capture-parts.ts";
import type { CompiledCapture, CompiledRule } from "../../rules/ruleset/compiled.ts";

interface Told {
  rule: Pick<CompiledRule, "captures">;
  context: MatchContext;
}

/** An attempt's tokens are only in its calldata. */
export function namedTokens(actions: readonly Told[]): Address[] {
  const named = actions.flatMap(({ rule, context }) =>
    [...rule.captures.values()]
      .flatMap((capture) => partsOf(capture, context))
      .flatMap((part) => readAddress(tokenOf(part.capture, part.context)) ?? []),
  );
  return named.filter((token) => !isNativePlaceholder(token));
}

function tokenOf(capture: CompiledCapture, context: MatchContext): Value | undefined {
  if (capture.kind === "token") return capture.get(context);
  return capture.kind === "amount" || capture.kind === "nft" ? capture.token(context) : undefined;
}
