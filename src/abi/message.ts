import type { Hex } from "../kernel/hex.ts";
import type { AbiType } from "./abi-type.ts";
import {
  baseType,
  encodeType,
  fieldNamePattern,
  isElementary,
  type StructField,
  type StructTypes,
  structLayout,
  typeHash,
  typeNamePattern,
} from "./struct-type.ts";

/** A message of a rule file: an EIP-712 struct with its type hash. */
export interface MessageItem {
  kind: "message";
  name: string;
  /** EIP-712 `encodeType`. */
  signature: string;
  /** EIP-712 `typeHash`, 32 bytes. */
  hash: Hex;
  /** Of an open message those members that are written; others may follow. */
  inputs: AbiType & { kind: "tuple" };
  /** Further members of any type may follow, as behind the witness of Permit2: it has no hash of its own. */
  open: boolean;
  /** The structs that it is made of. */
  types: StructTypes;
}

/** How the text of a message begins, in the `abi` of a rule file. */
const messageWord = "message ";

const parsed = new Map<string, MessageItem>();

/**
 * Parses `message ` and an EIP-712 `encodeType`, with blanks wherever they read well and the referenced structs in any order:
 * `message Order(address maker, Fee[] fees) Fee(address to, uint256 amount)`. `...` as the last member of the first struct stands for
 * any that follow. Throws with a sentence for the author.
 */
export function parseMessage(text: string): MessageItem {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const made = parseAfresh(text);
  parsed.set(text, made);
  return made;
}

function parseAfresh(text: string): MessageItem {
  const types = new Map<string, readonly StructField[]>();
  const structs = text.slice(messageWord.length).trim();
  const pattern = /\s*([^\s(),]+)\s*\(([^()]*)\)\s*/y;
  let primary: string | undefined;
  let open = false;
  while (pattern.lastIndex < structs.length) {
    const at = pattern.lastIndex;
    const [, name = "", members = ""] = pattern.exec(structs) ?? [];
    if (!typeNamePattern.test(name)) throw new Error(`no struct begins at \`${structs.slice(at, at + 20)}\``);
    if (types.has(name)) throw new Error(`the struct ${name} is there twice`);
    const fields = members.trim() === "" ? [] : members.split(",").map((member) => member.trim());
    if (primary === undefined && fields.at(-1) === "...") {
      fields.pop();
      open = true;
    }
    types.set(name, fields.map(readField));
    primary ??= name;
  }
  if (primary === undefined) throw new Error("a struct was expected behind `message`");
  checkTypes(types);
  const signature = encodeType(primary, types);
  // Every struct that is written is referred to.
  const used = (signature.match(/\(/g) ?? []).length;
  if (used !== types.size) throw new Error(`a struct is there that ${primary} does not refer to`);
  const inputs = structLayout(primary, types);
  return { kind: "message", name: primary, signature, hash: typeHash(signature), inputs, open, types };
}

/** Whether the types of a message begin as an open one does: the same name and first members, which are made of the same structs. */
export function opensWith(item: MessageItem, primary: string, types: StructTypes): boolean {
  if (primary !== item.name) return false;
  return [...item.types].every(([name, wanted]) => {
    const found = types.get(name);
    if (found === undefined || (name === primary ? found.length < wanted.length : found.length !== wanted.length))
      return false;
    return wanted.every(({ name: field, type }, i) => found[i]?.name === field && found[i]?.type === type);
  });
}

function readField(text: string): StructField {
  const [type = "", name = "", ...rest] = text.trim().split(/\s+/);
  if (rest.length > 0 || !fieldNamePattern.test(name)) throw new Error(`\`${text.trim()}\` is no member`);
  return { name, type };
}

function checkTypes(types: ReadonlyMap<string, readonly StructField[]>): void {
  for (const { type } of [...types.values()].flat()) {
    if (!/^[^[\]]+(?:\[\d*\])*$/.test(type)) throw new Error(`\`${type}\` is no type`);
    const base = baseType(type);
    if (!types.has(base) && !isElementary(base)) throw new Error(`the struct ${base} is missing`);
  }
}
