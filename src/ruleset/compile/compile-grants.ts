import type { AbiType } from "../../abi/abi-type.ts";
import type { EventItem, FunctionItem } from "../../abi/signature.ts";
import { suggest } from "../../documents/suggest.ts";
import type { Address } from "../../kernel/address.ts";
import type { FailureEvent } from "../compiled.ts";
import type { GrantEntry } from "../document/rule-document.ts";
import type { FileGrants, GrantCall, GrantEvent } from "../grant-table.ts";
import { compileGate, gateAddresses } from "./gate.ts";
import { eventNamed, type FileScope, functionNamed } from "./scope.ts";
import { parsePhrase, placeholdersOf } from "./template.ts";

type At = (string | number)[];
type EventGrantEntry = Extract<GrantEntry, { event: string }>;
type CallGrantEntry = Extract<GrantEntry, { call: string }>;

/** Compiles `grants:`; an entry with a mistake is left out (all are reported). */
export function compileGrants(file: FileScope): FileGrants {
  const grants: FileGrants = { events: [], calls: [] };
  for (const [i, entry] of (file.document.grants ?? []).entries()) {
    const at = ["grants", i];
    if ("event" in entry) grants.events.push(...compileGrantEvent(file, entry, at));
    else grants.calls.push(...compileGrantCall(file, entry, at));
  }
  return grants;
}

/** Compiles `failures:`. */
export function compileFailures(file: FileScope): FailureEvent[] {
  return (file.document.failures ?? []).flatMap((entry, i): FailureEvent[] => {
    const at = ["failures", i];
    const event = eventNamed(file, entry.event, [...at, "event"]);
    const contracts = contractsOf(file, entry.at, [...at, "at"]);
    if (event === undefined || contracts === undefined) return [];
    const [account, success] = [
      entry.account === "emitter" ? null : placeOf(file, event, entry.account, "address", [...at, "account"]),
      entry.success === undefined ? null : placeOf(file, event, entry.success, "bool", [...at, "success"]),
    ];
    const what = parsePhrase(entry.what);
    for (const { capture } of placeholdersOf(what))
      if (capture !== "account")
        file.reporter.report("RL501", [...at, "what"], `\`{${capture}}\` has no value here; \`{account}\` has`);
    return account === undefined || success === undefined ? [] : [{ event, contracts, account, success, what }];
  });
}

function compileGrantEvent(file: FileScope, entry: EventGrantEntry, at: At): GrantEvent[] {
  const event = eventNamed(file, entry.event, [...at, "event"]);
  const contracts = contractsOf(file, entry.at, [...at, "at"]);
  if (event === undefined || contracts === undefined) return [];
  if (contracts === null)
    return file.reporter.report("RL303", [...at, "at"], "only known contracts report a grant of their own") ?? [];
  const place = (name: string | undefined, kind: AbiType["kind"], field: string) =>
    name === undefined ? null : placeOf(file, event, name, kind, [...at, field]);
  const [owner, token, spender] = [
    place(entry.owner, "address", "owner"),
    place(entry.token, "address", "token"),
    place(entry.spender, "address", "spender"),
  ];
  const [amount, until] = [place(entry.amount, "uint", "amount"), place(entry.until, "uint", "until")];
  if (typeof owner !== "number" || typeof token !== "number" || typeof spender !== "number") return [];
  if (amount === undefined || until === undefined) return [];
  const protocol = file.document.name ?? file.document.protocol;
  const [unlimited, never] = [amount, until].map((index) =>
    largestOf(index === null ? null : event.inputs.items[index]),
  );
  return [
    {
      event,
      contracts,
      protocol,
      owner,
      token,
      spender,
      amount,
      until,
      unlimited: unlimited ?? null,
      never: never ?? null,
    },
  ];
}

function compileGrantCall(file: FileScope, entry: CallGrantEntry, at: At): GrantCall[] {
  const call = functionNamed(file, entry.call, [...at, "call"]);
  const contracts = contractsOf(file, entry.at, [...at, "at"]);
  if (call === undefined || contracts === undefined) return [];
  const place = (field: "owner" | "spender" | "amount" | "given", kind: AbiType["kind"]) =>
    entry[field] === undefined ? null : placeOf(file, call, entry[field], kind, [...at, field]);
  const [owner, spender] = [place("owner", "address"), place("spender", "address")];
  const [amount, given] = [place("amount", "uint"), place("given", "bool")];
  if (owner === undefined || typeof spender !== "number" || amount === undefined || given === undefined) return [];
  return [{ call, contracts, owner, spender, amount, given }];
}

/** Addresses of contract roles; null for any contract, undefined when there is a mistake. */
function contractsOf(
  file: FileScope,
  at: string | string[] | undefined,
  path: At,
): ReadonlySet<Address> | null | undefined {
  const gate = compileGate(file, at, path);
  if (gate.kind === "any") return null;
  const addresses = gateAddresses(gate);
  if (addresses === null) file.reporter.report("RL303", path, "contract roles of this file are expected here");
  return addresses === null ? undefined : new Set(addresses);
}

/** The place of an argument; undefined when there is none of that name and kind. */
function placeOf(
  file: FileScope,
  item: EventItem | FunctionItem,
  name: string,
  kind: AbiType["kind"],
  path: At,
): number | undefined {
  const { names, items } = item.inputs;
  const index = names.indexOf(name);
  if (items[index]?.kind === kind) return index;
  const what = kind === "address" ? "an address" : kind === "bool" ? "true or false" : "an integer";
  return file.reporter.report("RL303", path, `\`${name}\` is not ${what} among the arguments of \`${item.name}\``, {
    suggest: index < 0 ? suggest(name, names) : undefined,
  });
}

/** The largest number of a type that is narrower than 256 bits. */
function largestOf(type: AbiType | null | undefined): bigint | null {
  return type?.kind === "uint" && type.bits < 256 ? (1n << BigInt(type.bits)) - 1n : null;
}
