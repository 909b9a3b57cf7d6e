import type { EachSource, ItemGetter, NamedStep, StepMeaning } from "../compiled-unwrapper.ts";
import type { StepsEntry, UnwrapEntry } from "../document/rule-document.ts";
import { listOf } from "./scope.ts";
import { Spot } from "./spot.ts";

type ProgramEntry = Extract<UnwrapEntry["each"], { steps: string } | { step: string }>;

/** A program by a table of `steps`, or bytes that are the input of one step. */
export function compileProgram(spot: Spot, each: ProgramEntry): EachSource | undefined {
  if ("step" in each) {
    const input = spot.in("input").getter(each.input, "bytes");
    const meaning = stepNamed(spot.in("step"), each.step);
    return input === undefined || meaning === undefined ? undefined : { kind: "step", input, meaning };
  }
  const codes = spot.in("codes").getter(each.codes, "bytes");
  const inputs = spot.in("inputs").getter(each.inputs, "array");
  const tables = spot.file.document.steps ?? {};
  const table = Object.hasOwn(tables, each.steps) ? tables[each.steps] : undefined;
  if (table === undefined)
    return spot.in("steps").unknown("RL302", each.steps, (say) => say.noStepTable(), Object.keys(tables));
  if (codes === undefined || inputs === undefined) return undefined;
  const meanings = compileTable(new Spot(spot.file, ["steps", each.steps, "of"], spot.scope), table);
  return {
    kind: "steps",
    codes,
    inputs,
    mask: Number(table.mask ?? 0xff),
    mayFail: Number(table.may_fail ?? 0),
    meanings,
  };
}

function compileTable(spot: Spot, table: StepsEntry): Map<number, StepMeaning[]> {
  const meanings = Object.entries(table.of).flatMap(([code, entry]): [number, StepMeaning[]][] => {
    const at = spot.in(code);
    if (typeof entry === "string" || Array.isArray(entry))
      return [[Number(code), listOf(entry).flatMap((name) => stepNamed(at, name) ?? [])]];
    const to = calledBy(at.in("call"), entry.call);
    return to === undefined ? [] : [[Number(code), [{ to }]]];
  });
  return new Map(meanings);
}

/** A path, or an address, such as one of another rule file. */
function calledBy(spot: Spot, text: string): ItemGetter | undefined {
  const address = spot.address(text);
  return address === undefined ? spot.getter(text, "address") : () => address;
}

/** A `step` of `abi`, or a function whose arguments the input encodes. */
function stepNamed(spot: Spot, name: string): NamedStep | undefined {
  const item = spot.call(name);
  return item && { name, item };
}
