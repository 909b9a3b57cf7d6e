import type { TupleType } from "../../../abi/abi-type.ts";
import { parseMessage } from "../../../abi/message.ts";
import type { AbiItem } from "../../../abi/signature.ts";
import { parseSignature } from "../../../abi/signature-parser.ts";
import { listed, type SaidEntry } from "./entry.ts";
import type { Names } from "./names.ts";

/** What names mean in all rules of a file. */
export interface FileNames {
  items: ReadonlyMap<string, AbiItem>;
  /** Members of messages. */
  messages: ReadonlyMap<string, TupleType>;
  roles: ReadonlySet<string>;
  shared: Readonly<SaidEntry>;
}

/** Of a file and the file that it is like. A signature that does not parse is reported when it is compiled. */
export function fileNames(file: SaidEntry, base: SaidEntry = {}): FileNames {
  const items = new Map<string, AbiItem>();
  const messages = new Map<string, TupleType>();
  for (const [name, text] of Object.entries({ ...(base.abi as SaidEntry), ...(file.abi as SaidEntry) })) {
    try {
      if (String(text).startsWith("message ")) messages.set(name, parseMessage(String(text)).inputs);
      else items.set(name, parseSignature(String(text)));
    } catch {
      // See above.
    }
  }
  const named = [base.contracts, base.members, file.contracts, file.members].map((one) =>
    Object.keys((one ?? {}) as SaidEntry),
  );
  const stated = [base.roles, file.roles].map((one) => listed(one as string[] | undefined));
  const shared = { ...(base.values as SaidEntry), ...(file.values as SaidEntry) };
  return { items, messages, roles: new Set([...named, ...stated].flat()), shared };
}

/** What names mean in a rule. */
export function namesInFile({ anchor = {}, money = {} }: SaidEntry, file: FileNames): Names {
  const { event, call, within, message, transfer, authorization } = anchor as SaidEntry;
  const { gives: _gives, gets: _gets, rest: _rest, ...legs } = money as SaidEntry;
  const [firstEvent] = listed(event as string | string[]);
  const [firstCall] = listed(call as string | string[]);
  const beside = listed(within as string | string[]);
  const inputs = (name: string | undefined) => file.items.get(name ?? "")?.inputs ?? null;
  const { items, roles, shared } = file;
  const common = { input: beside.length === 1 ? inputs(beside[0]) : null, legs, items, roles, shared };
  if (message !== undefined) return { ...common, args: file.messages.get(String(message)) ?? null, anchor: "sign" };
  if (firstEvent !== undefined) return { ...common, args: inputs(firstEvent), anchor: "event" };
  if (transfer !== undefined) return { ...common, args: null, anchor: "transfer" };
  if (authorization !== undefined) return { ...common, args: null, anchor: "authorization" };
  if (firstCall !== undefined) return { ...common, args: inputs(firstCall), anchor: "call" };
  return { ...common, args: null, anchor: "none" };
}

/** What names mean in a call that is tried. */
export function namesOfCall(name: string, { items, roles, shared }: FileNames): Names {
  return { args: items.get(name)?.inputs ?? null, input: null, legs: {}, anchor: "call", items, roles, shared };
}

/** Whether all these items can be read. What cannot is reported where the rule is compiled. */
export function knowsItems(items: unknown, { items: known, messages }: FileNames): boolean {
  return listed(items as string | string[] | undefined).every(
    (name) => known.has(name) || messages.has(name) || specialCalls.has(name),
  );
}

const specialCalls: ReadonlySet<string> = new Set(["any", "plain", "delegated"]);
