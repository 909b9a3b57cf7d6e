import { suggest } from "../../../documents/suggest.ts";
import type { EachSource, ItemGetter, NamedStep, StepMeaning } from "../../compiled.ts";
import type { StepsEntry, UnwrapEntry } from "../../document/rule-document.ts";
import type { PathScope } from "../path.ts";
import { type FileScope, functionNamed, listOf, writtenAddress } from "../scope.ts";
import { pathOf } from "./unwrap-path.ts";

type At = (string | number)[];
type ProgramEntry = Extract<UnwrapEntry["each"], { steps: string } | { step: string }>;
type Compiled = { source: EachSource; item: null };

/** Compiles an `each` that reads steps: a program by a table of `steps`, or bytes that are the input of one step. */
export function compileProgram(file: FileScope, scope: PathScope, each: ProgramEntry, at: At): Compiled | undefined {
  const read = (text: string, type: "array" | "bytes", name: string) =>
    pathOf(file, scope, text, [type], [...at, name])?.get as unknown as ItemGetter | undefined;
  if ("step" in each) {
    const input = read(each.input, "bytes", "input");
    const meaning = stepNamed(file, each.step, [...at, "step"]);
    if (input === undefined || meaning === undefined) return undefined;
    return { source: { kind: "step", input, meaning }, item: null };
  }
  const codes = read(each.codes, "bytes", "codes");
  const inputs = read(each.inputs, "array", "inputs");
  const tables = file.document.steps ?? {};
  const table = Object.hasOwn(tables, each.steps) ? tables[each.steps] : undefined;
  if (table === undefined)
    return file.reporter.report("RL302", [...at, "steps"], `\`${each.steps}\` is no table of this file's steps`, {
      suggest: suggest(each.steps, Object.keys(tables)),
    });
  if (codes === undefined || inputs === undefined) return undefined;
  const mask = table.mask === undefined ? 0xff : Number(table.mask);
  const mayFail = table.may_fail === undefined ? 0 : Number(table.may_fail);
  const meanings = compileTable(file, scope, table, ["steps", each.steps, "of"]);
  return { source: { kind: "steps", codes, inputs, mask, mayFail, meanings }, item: null };
}

function compileTable(file: FileScope, scope: PathScope, table: StepsEntry, at: At): Map<number, StepMeaning[]> {
  const meanings = new Map<number, StepMeaning[]>();
  for (const [code, entry] of Object.entries(table.of)) {
    const place = [...at, code];
    if (typeof entry === "object" && !Array.isArray(entry)) {
      const to = calledBy(file, scope, entry.call, [...place, "call"]);
      if (to !== undefined) meanings.set(Number(code), [{ to }]);
    } else
      meanings.set(
        Number(code),
        listOf(entry).flatMap((name) => stepNamed(file, name, place) ?? []),
      );
  }
  return meanings;
}

/** The contract that a step calls: a path, or the address of a contract that another file describes. */
function calledBy(file: FileScope, scope: PathScope, text: string, at: At): ItemGetter | undefined {
  const address = writtenAddress(file.reporter, text, at);
  if (address !== undefined) return () => address;
  return pathOf(file, scope, text, ["address"], at)?.get as unknown as ItemGetter | undefined;
}

/** An item of `abi` that may stand for a step: a `step`, or a function whose arguments the input encodes. */
function stepNamed(file: FileScope, name: string, at: At): NamedStep | undefined {
  const item = functionNamed(file, name, at);
  return item === undefined ? undefined : { name, item };
}
