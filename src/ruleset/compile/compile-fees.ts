import { suggest } from "../../documents/suggest.ts";
import type { FeeHint } from "../compiled.ts";
import { compileGate } from "./gate.ts";
import { eventNamed, type FileScope } from "./scope.ts";

/** Compiles `fees:`; an entry with a mistake is left out (all are reported). */
export function compileFees(file: FileScope): FeeHint[] {
  return (file.document.fees ?? []).flatMap((entry, i): FeeHint[] => {
    const at = ["fees", i];
    const event = eventNamed(file, entry.event, [...at, "event"]);
    if (event === undefined) return [];
    if (entry.to === undefined && (entry.token === undefined || entry.amount === undefined))
      return file.reporter.report("RL303", at, "a fee names `to`, or both `token` and `amount`") ?? [];
    const place = (field: "from" | "to" | "token" | "amount" | "cost", kind: "address" | "uint"): number | null => {
      const name = entry[field];
      if (name === undefined) return null;
      const argument = event.inputs.names.indexOf(name);
      if (event.inputs.items[argument]?.kind === kind) return argument;
      const what = kind === "address" ? "an address" : "an integer";
      file.reporter.report("RL303", [...at, field], `\`${name}\` is not ${what} among the event's arguments`, {
        suggest: argument < 0 ? suggest(name, event.inputs.names) : undefined,
      });
      return null;
    };
    const [from, to] = [place("from", "address"), place("to", "address")];
    const [token, amount] = [place("token", "address"), place("amount", "uint")];
    if (from === null || (to === null && (token === null || amount === null))) return [];
    return [
      { event, gate: compileGate(file, entry.at, [...at, "at"]), from, to, token, amount, cost: place("cost", "uint") },
    ];
  });
}
