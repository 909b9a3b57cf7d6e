import { type Address, readAddress } from "../../kernel/address.ts";
import { utf8Text } from "../../kernel/hex.ts";
import type { ActorCall } from "../../model/match.ts";
import { type CborValue, readCbor } from "../../rules/abi/cbor.ts";

/** What calldata with a suffix of ERC-8021 (transaction attribution) ends with. The suffix belongs to no call. */
export const attributionMarker = "8021".repeat(8);

/** Who a call says it was sent with, by ERC-8021. Anybody may append it, so it proves nothing. */
export interface Attribution {
  /** 0: codes of the canonical registry; 1: of another one; 2: by role (CBOR). Of other schemas nothing is read. */
  schema: number;
  codes: { code: string; role: "app" | "wallet" | "service" | null; registry: CodeRegistry | null }[];
  /** Codes that are left out: not of the registry's form, or too many. */
  leftOut: number;
}

/** A contract where codes are registered. null in its place: the canonical registry. */
export interface CodeRegistry {
  chainId: number;
  address: Address;
}

type Claimed = { code: CborValue; role: Attribution["codes"][number]["role"]; registry: CodeRegistry | null };

/** The form of the canonical registry (base/builder-codes); so no code holds an address of a page or an instruction. */
const codeForm = /^[a-z0-9_]{1,32}$/;
const codesMax = 16;

/** Reads the suffix of calldata; undefined where there is none, or where its lengths reach beyond the data. */
export function readAttribution(calldata: string): Attribution | undefined {
  const digits = calldata.endsWith(attributionMarker) ? calldata.slice(2, -attributionMarker.length) : "";
  const schema = Number.parseInt(digits.slice(-2), 16);
  const claimed = Number.isNaN(schema) ? undefined : claimsOf(schema, digits.slice(0, -2));
  if (claimed === undefined) return undefined;
  const codes = claimed.flatMap(({ code, role, registry }) =>
    typeof code === "string" && codeForm.test(code) ? [{ code, role, registry }] : [],
  );
  const shown = codes.slice(0, codesMax);
  return { schema, codes: shown, leftOut: claimed.length - shown.length };
}

/**
 * The attributions of calls. A call whose last argument is a call ends as that one does, so the suffix belongs to the inner one. What init
 * code ends with is data of its creator.
 */
export function attributionsOf(calls: readonly ActorCall[]): { call: number; attribution: Attribution }[] {
  const marked = calls.filter(
    ({ to, step, input }) => to !== null && step === null && input.endsWith(attributionMarker),
  );
  const inside = Map.groupBy(marked, ({ parent }) => parent);
  return marked.flatMap(({ id, input }) => {
    const isInner = inside.get(id)?.some((call) => input.endsWith(call.input.slice(2))) === true;
    const attribution = isInner ? undefined : readAttribution(input);
    return attribution === undefined ? [] : [{ call: id, attribution }];
  });
}

/** @param digits everything before the number of the schema */
function claimsOf(schema: number, digits: string): Claimed[] | undefined {
  if (schema === 0 || schema === 1) {
    const listed = takeLast(digits, 1);
    const registry = schema === 0 ? null : listed && readRegistry(listed.before);
    if (listed === undefined || registry === undefined) return undefined;
    const codes = listed.taken === "" ? [] : utf8Text(listed.taken).split(",");
    return codes.map((code) => ({ code, role: null, registry }));
  }
  const data = takeLast(digits, 2);
  if (data === undefined) return undefined;
  const fields = schema === 2 ? readCbor(data.taken) : undefined;
  return fields instanceof Map ? rolesOf(fields) : [];
}

/** The codes by role: `a` app, `w` wallet, `s` services; `r` holds registries of the first two. */
function rolesOf(fields: ReadonlyMap<string, CborValue>): Claimed[] {
  const [app, wallet, services] = [fields.get("a"), fields.get("w"), fields.get("s") ?? []];
  const registries = fields.get("r");
  const registryOf = (key: string) => (registries instanceof Map ? namedRegistry(registries.get(key)) : null);
  return [
    ...(app === undefined ? [] : [{ code: app, role: "app" as const, registry: registryOf("a") }]),
    ...(wallet === undefined ? [] : [{ code: wallet, role: "wallet" as const, registry: registryOf("w") }]),
    ...[services].flat().map((code) => ({ code, role: "service" as const, registry: null })),
  ];
}

/** A registry of a mapping: `c` the chain in hex, `a` the address. null where it is none. */
function namedRegistry(value: CborValue | undefined): CodeRegistry | null {
  if (!(value instanceof Map)) return null;
  const [chainId, address] = [Number(value.get("c")), readAddress(value.get("a"))];
  return address !== undefined && Number.isSafeInteger(chainId) ? { chainId, address } : null;
}

/** The registry at the end of data: its address (20 bytes), the number of its chain, and the length of that number (1 byte). */
function readRegistry(digits: string): CodeRegistry | undefined {
  const chain = takeLast(digits, 1);
  const address = chain && readAddress(`0x${chain.before.slice(-40)}`);
  const chainId = Number.parseInt(chain?.taken ?? "", 16);
  return address !== undefined && Number.isSafeInteger(chainId) ? { chainId, address } : undefined;
}

/** What a length of so many bytes at the end of data counts, and what is before it; undefined where there is less data than that. */
function takeLast(digits: string, bytes: number): { taken: string; before: string } | undefined {
  const end = digits.length - 2 * bytes;
  const start = end - 2 * Number.parseInt(digits.slice(end), 16);
  return end >= 0 && start >= 0 ? { taken: digits.slice(start, end), before: digits.slice(0, start) } : undefined;
}
