import type { CaseFile } from "../../model/case-file.ts";
import type { Labels } from "../../model/label.ts";
import { gateStrength } from "../../ruleset/compile/gate.ts";
import type { Anchor, CompiledRule, Gate } from "../../ruleset/compiled.ts";
import { admittedBy, replaceByUntrusted } from "./untrusted.ts";

/** Cases in which the rule must not stand, since it stands in `original`: for each of its gates, the same at untrusted contracts. */
export function untrustedCopies(original: CaseFile, forms: readonly CompiledRule[], labels: Labels): CaseFile[] {
  const reverted = original.receipt.status === "0x0";
  const own = forms.filter((rule) => (rule.status === "reverted") === reverted);
  const gates = own.slice(0, 1).flatMap(({ anchor }) => protectingGates(anchor));
  return gates
    .map((gate) => replaceByUntrusted(original, admittedBy(gate), labels))
    .filter((copy) => copy !== original);
}

/** Gates that admit known contracts and proven members only. */
export function protectingGates(anchor: Anchor): Gate[] {
  return gatesOf(anchor).filter((gate) => gateStrength(gate) >= 2);
}

function gatesOf(anchor: Anchor): Gate[] {
  switch (anchor.kind) {
    case "event":
      return anchor.companion === null ? [anchor.gate] : [anchor.gate, anchor.companion.gate];
    case "call":
      return [anchor.gate];
    case "transfer":
      return [anchor.from, anchor.to];
    case "authorization":
    case "none":
      return [];
  }
}
