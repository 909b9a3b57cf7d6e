import type { Address } from "../../kernel/address.ts";
import type { Hex } from "../../kernel/hex.ts";
import type { Value } from "../../rules/abi/abi-type.ts";
import type { EachSource, StepMeaning, UnwrapContext } from "../../rules/ruleset/compiled-unwrapper.ts";
import { isExact } from "./exact-encoding.ts";
import { asAddress } from "./subject.ts";

/** One step of a contract's own program: a swap of a router, a permit, a payout. */
export interface Step {
  /** Its name in the rule file's `abi`; the code as `0x..` where the file gives it no meaning; null when the step is a call. */
  name: string | null;
  /** Contract that the step calls; null when it runs in the frame of the contract itself. */
  to: Address | null;
  /** Its calldata: the selector and the input of the step. `0x` when it cannot be read, so that no rule matches it. */
  input: Hex;
  /** False when the input is not exactly the encoding that belongs to its code. */
  known: boolean;
  /** Whether the program goes on when this step fails. Then the step may not have happened. */
  mayFail: boolean;
}

/** Sources of `each` that read steps. */
export type ProgramSource = Extract<EachSource, { kind: "steps" | "step" }>;

export function isProgram(each: EachSource): each is ProgramSource {
  return each.kind === "steps" || each.kind === "step";
}

/** The steps of a program in order; undefined when there are not as many inputs as codes. */
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

/** Reads a step. Versions of a contract encode it differently: the first encoding that fits exactly is taken. */
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
