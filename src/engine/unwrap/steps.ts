import type { Address } from "../../kernel/address.ts";
import type { Hex } from "../../kernel/hex.ts";
import type { Value } from "../../rules/abi/abi-type.ts";
import type { EachSource, StepMeaning, UnwrapContext } from "../../rules/ruleset/compiled-unwrapper.ts";
import { isExact } from "./exact-encoding.ts";
import { asAddress } from "./subject.ts";

/** Of a contract's program: a router's swap, a permit, a payout. */
export interface Step {
  /** Name in the rule's `abi`; `0x..` where the code has no meaning there; null: the step is a call. */
  name: string | null;
  /** null: in the contract's own frame. */
  to: Address | null;
  /** With selector. `0x`: unreadable, no rule matches. */
  input: Hex;
  /** False: not the exact encoding of its code. */
  known: boolean;
  /** The program goes on when it fails, so it may not have happened. */
  mayFail: boolean;
}

export type ProgramSource = Extract<EachSource, { kind: "steps" | "step" }>;

export function isProgram(each: EachSource): each is ProgramSource {
  return each.kind === "steps" || each.kind === "step";
}

/** undefined: fewer or more inputs than codes. */
export function readSteps(each: ProgramSource, context: UnwrapContext): Step[] | undefined {
  if (each.kind === "step") {
    const input = each.input(context);
    if (typeof input !== "string") return undefined;
    return [{ ...stepOf([each.meaning], input, context), name: each.meaning.name }];
  }
  const codes = each.codes(context);
  const inputs = each.inputs(context);
  if (typeof codes !== "string" || !Array.isArray(inputs) || codes.length !== 2 + inputs.length * 2) return undefined;
  return inputs.map((input, i) => {
    const code = Number.parseInt(codes.slice(2 + i * 2, 4 + i * 2), 16);
    const step = stepOf(each.meanings.get(code & each.mask) ?? [], input as string, context);
    const name = step.known ? step.name : `0x${(code & each.mask).toString(16).padStart(2, "0")}`;
    return { ...step, name, mayFail: (code & each.mayFail) !== 0 };
  });
}

/** Versions encode differently; the first exact one counts. */
function stepOf(meanings: readonly StepMeaning[], input: string, context: UnwrapContext): Step {
  for (const meaning of meanings) {
    if ("to" in meaning) {
      const to = asAddress(meaning.to(context) as Value | undefined);
      if (to !== undefined) return { name: null, to, input: input as Hex, known: true, mayFail: false };
      continue;
    }
    const calldata = `${meaning.item.hash}${input.slice(2)}` as Hex;
    const args = meaning.item.read(calldata);
    if (args !== undefined && isExact(input.slice(2), meaning.item.inputs.items, args))
      return { name: meaning.name, to: null, input: calldata, known: true, mayFail: false };
  }
  return { name: null, to: null, input: "0x", known: false, mayFail: false };
}
