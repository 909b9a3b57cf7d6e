import { type Address, readAddress } from "../../kernel/address.ts";
import { utf8Text } from "../../kernel/hex.ts";
import type { ActorCall } from "../../model/match.ts";
import { type CborValue, readCbor } from "../../rules/abi/cbor.ts";

/** End of calldata with an ERC-8021 suffix, which belongs to no call. */
export const attributionMarker = "8021".repeat(8);

/** ERC-8021. Anybody may append it: it proves nothing. */
export interface Attribution {
  /** 0: canonical registry; 1: another; 2: by role (CBOR). Others are not read. */
  schema: number;
  codes: { code: string; role: "app" | "wallet" | "service" | null; registry: CodeRegistry | null }[];
  /** Not of the registry's form, or too many. */
  leftOut: number;
}

/** null in its place: the canonical one. */
export interface CodeRegistry {
  chainId: number;
  address: Address;
}

type Claimed = { code: CborValue; role: Attribution["codes"][number]["role"]; registry: CodeRegistry | null };

/** base/builder-codes: no code holds a page's address or an instruction. */
const codeForm = /^[a-z0-9_]{1,32}$/;
const codesMax = 16;

/** undefined: none, or lengths beyond the data. */
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

/** A suffix belongs to the innermost call that ends with it. What init code ends with is its creator's data. */
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

/** @param digits before the schema number */
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

/** `a` app, `w` wallet, `s` services; `r`: registries of the first two. */
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

/** `c`: chain in hex, `a`: address. */
function namedRegistry(value: CborValue | undefined): CodeRegistry | null {
  if (!(value instanceof Map)) return null;
  const [chainId, address] = [Number(value.get("c")), readAddress(value.get("a"))];
  return address !== undefined && Number.isSafeInteger(chainId) ? { chainId, address } : null;
}

/** At the end: address (20 bytes), chain, length of the chain (1 byte). */
function readRegistry(digits: string): CodeRegistry | undefined {
  const chain = takeLast(digits, 1);
  const address = chain && readAddress(`0x${chain.before.slice(-40)}`);
  const chainId = Number.parseInt(chain?.taken ?? "", 16);
  return address !== undefined && Number.isSafeInteger(chainId) ? { chainId, address } : undefined;
}

/** A length at the end, what it counts, and what is before; undefined: too little data. */
function takeLast(digits: string, bytes: number): { taken: string; before: string } | undefined {
  const end = digits.length - 2 * bytes;
  const start = end - 2 * Number.parseInt(digits.slice(end), 16);
  return end >= 0 && start >= 0 ? { taken: digits.slice(start, end), before: digits.slice(0, start) } : undefined;
}
