import type { Hex } from "../../kernel/hex.ts";
import type { TupleType } from "./abi-type.ts";
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

/** An EIP-712 struct with its type hash. */
export interface MessageItem {
  kind: "message";
  name: string;
  /** EIP-712 `encodeType`. */
  signature: string;
  /** EIP-712 `typeHash`, 32 bytes. */
  hash: Hex;
  /** The member that is a Merkle tree, whose height is a part of the type. */
  tree: MessageTree | null;
  /** Of an open message only those that are written down. */
  inputs: TupleType;
  /** Members of any type may follow, like the witness of Permit2. `hash` then does not identify the message. */
  open: boolean;
  types: StructTypes;
}

/** Nested pairs of a struct: how a wallet shows a signature over a Merkle tree. */
export interface MessageTree {
  /** Position of the member. */
  member: number;
  /** `typeHash` by height, from 2 on. */
  taller: readonly Hex[];
}

/** A taller tree has more leaves than a message has room for. */
const heightMax = 10;

const messageWord = "message ";

const parsed = new Map<string, MessageItem>();

/**
 * Parses `message ` and an EIP-712 `encodeType`, blanks and the order of referenced structs free: `message Order(address maker, Fee[] fees)
 * Fee(address to, uint256 amount)`. `...` as the last member of the first struct: any further members. `Order[2]... tree`: pairs of pairs
 * of orders; each height is a type of its own, all match, and the values are one list. Throws with a sentence for the author.
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
  const tree = takeTree(types, primary);
  checkTypes(types);
  const signature = encodeType(primary, types);
  // Every struct of the text must be used.
  const used = (signature.match(/\(/g) ?? []).length;
  if (used !== types.size) throw new Error(`a struct is there that ${primary} does not refer to`);
  const inputs = structLayout(primary, tree === null ? types : tree.asList);
  const common = { kind: "message" as const, name: primary, signature, hash: typeHash(signature), inputs, open, types };
  return {
    ...common,
    tree: tree && { member: tree.member, taller: tree.taller.map((one) => typeHash(encodeType(primary, one))) },
  };
}

type Structs = Map<string, readonly StructField[]>;

/** Replaces `[2]...` by the lowest tree; gives also the structs with taller trees, and with a plain list. */
function takeTree(types: Structs, primary: string): { member: number; taller: Structs[]; asList: Structs } | null {
  const fields = types.get(primary) ?? [];
  const member = fields.findIndex(({ type }) => type.endsWith("[2]..."));
  const field = fields[member];
  if (field === undefined) return null;
  const leaf = field.type.slice(0, -"[2]...".length);
  const withType = (type: string): Structs =>
    new Map(types).set(primary, fields.with(member, { name: field.name, type }));
  types.set(primary, fields.with(member, { name: field.name, type: `${leaf}[2]` }));
  const taller = Array.from({ length: heightMax - 1 }, (_, i) => withType(leaf + "[2]".repeat(i + 2)));
  return { member, taller, asList: withType(`${leaf}[]`) };
}

/** The same name and first members, made of the same structs. */
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
  const [type = "", name = "", ...rest] = text.split(/\s+/);
  if (rest.length > 0 || !fieldNamePattern.test(name)) throw new Error(`\`${text}\` is no member`);
  return { name, type };
}

function checkTypes(types: ReadonlyMap<string, readonly StructField[]>): void {
  for (const { type } of [...types.values()].flat()) {
    if (!/^[^[\]]+(?:\[\d*\])*$/.test(type)) throw new Error(`\`${type}\` is no type`);
    const base = baseType(type);
    if (!types.has(base) && !isElementary(base)) throw new Error(`the struct ${base} is missing`);
  }
}
