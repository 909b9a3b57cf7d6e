import { builtinCaptures, messageCaptures } from "../../compile/template.ts";
import type { Inside } from "../written-places.ts";
import type { SaidEntry } from "./entry.ts";
import { readExpression } from "./expression.ts";
import { isArgument, type Names } from "./names.ts";

/** A value that a sentence says itself. */
export interface SaidValue {
  /** Of its capture. */
  name: string;
  /** An expression, a name, or a value of the file. */
  value: unknown;
  optional: boolean;
  /** Its characters in the sentence. */
  inside: Inside;
}

export interface SaidSentence {
  /** With names of captures in the braces. */
  does: string;
  said: SaidValue[];
  /** Characters of `does`, as those of the author's sentence. */
  inside: (inside: Inside) => Inside;
}

const builtins: ReadonlySet<string> = new Set([...builtinCaptures, ...messageCaptures]);

/** `known`: names of values that are defined elsewhere. */
export function readSentence(text: string, known: Readonly<SaidEntry>, names: Names): SaidSentence {
  const said: SaidValue[] = [];
  const parts: { does: Inside; say: Inside }[] = [];
  const taken = new Map<string, string>();
  let depth = 0;
  let does = "";
  let last = 0;
  for (const { 0: whole, 1: value, index } of text.matchAll(/\[|\]|\{([^{}]*)\}/g)) {
    if (value === undefined) {
      depth += whole === "[" ? 1 : -1;
      continue;
    }
    const [, bare = value, full = ""] = /^(.*?)( as full)?$/.exec(value) ?? [];
    const inside = { offset: index + 1, length: value.length };
    const name = nameOf(bare, { known, names, optional: depth > 0, inside, said, taken });
    const placeholder = `${name}${full && ".full"}`;
    does += `${text.slice(last, index)}{${placeholder}}`;
    parts.push({ does: { offset: does.length - placeholder.length - 1, length: placeholder.length }, say: inside });
    last = index + whole.length;
  }
  return { does: does + text.slice(last), said, inside: (given) => insideOf(given, parts) };
}

interface Reading {
  known: Readonly<SaidEntry>;
  names: Names;
  optional: boolean;
  inside: Inside;
  said: SaidValue[];
  /** By name: what it stands for. */
  taken: Map<string, string>;
}

/** The name of a value in `does`; adds what the sentence itself defines. */
function nameOf(bare: string, { known, names, optional, inside, said, taken }: Reading): string {
  if (builtins.has(bare) || Object.hasOwn(known, bare)) return bare;
  const isShared = Object.hasOwn(names.shared, bare);
  const key = isShared ? `values ${bare}` : `${optional} ${bare}`;
  const value = isShared ? names.shared[bare] : bare;
  const wanted = isShared || isLeg(bare, names) ? snake(bare) : snake(wordOf(bare));
  let name = wanted;
  for (let i = 2; builtins.has(name) || Object.hasOwn(known, name) || (taken.get(name) ?? key) !== key; i++)
    name = `${wanted}_${i}`;
  if (!taken.has(name)) said.push({ name, value, optional, inside });
  taken.set(name, key);
  return name;
}

function isLeg(bare: string, names: Names): boolean {
  return Object.hasOwn(names.legs, bare) && !isArgument(bare, names);
}

/** The last word of the path that an expression reads first. */
function wordOf(bare: string): string {
  const said = readExpression(bare);
  const path =
    said === undefined ? bare : (said.amount ?? said.at_least ?? said.at_most ?? said.id ?? Object.values(said)[0]);
  return String(path).split(".").at(-1) ?? "";
}

/** `onBehalfOf/user` is `on_behalf_of`. */
export function snake(text: string): string {
  const [first = ""] = text.split("/");
  const words = first
    .replace(/^(args|input|legs|item)\./, "")
    .replace(/\(.*?\)/g, "")
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^[^a-z]+|_+$/g, "");
  return words || "value";
}

function insideOf({ offset, length }: Inside, parts: readonly { does: Inside; say: Inside }[]): Inside {
  const start = shifted(offset, parts, false);
  return { offset: start, length: Math.max(0, shifted(offset + length, parts, true) - start) };
}

/** In a value, characters are taken for the whole of it. */
function shifted(offset: number, parts: readonly { does: Inside; say: Inside }[], isEnd: boolean): number {
  let shift = 0;
  for (const { does, say } of parts) {
    const end = does.offset + does.length;
    if (isEnd ? offset <= does.offset : offset < does.offset) break;
    if (isEnd ? offset <= end : offset < end) return isEnd ? say.offset + say.length : say.offset;
    shift = say.offset + say.length - end;
  }
  return offset + shift;
}

/** Whether a value is told in clauses only. */
export function onlyInClauses(say: string, name: string): boolean {
  const outside = say.replace(/\[[^\]]*\]/g, "");
  return say.includes(`{${name}`) && !new RegExp(`\\{${name}[ }]`).test(outside);
}
