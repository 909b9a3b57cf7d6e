import { suggest } from "../../../documents/suggest.ts";
import type { Address } from "../../../kernel/address.ts";
import type { SubjectHint } from "../../compiled.ts";
import { compileGate, gateAddresses } from "../gate.ts";
import { eventNamed, type FileScope } from "../scope.ts";

/** How accounts are known: who makes them, and code that they run. */
export interface AccountHints {
  /** The argument is the new account. */
  makers: readonly SubjectHint[];
  code: ReadonlySet<Address>;
}

/** Compiles `accounts:`. */
export function compileAccounts(file: FileScope): AccountHints {
  const makers: SubjectHint[] = [];
  const code = new Set<Address>();
  (file.document.accounts ?? []).forEach((entry, i) => {
    const gate = compileGate(file, entry.at, ["accounts", i, "at"]);
    if (entry.event === undefined) {
      for (const address of gateAddresses(gate) ?? []) code.add(address);
      return;
    }
    const event = eventNamed(file, entry.event, ["accounts", i, "event"]);
    if (event === undefined) return;
    const argument = event.inputs.names.indexOf(entry.created ?? "");
    if (event.inputs.items[argument]?.kind !== "address")
      file.reporter.report(
        "RL303",
        ["accounts", i, "created"],
        `\`${entry.created}\` is no address argument of the event`,
        {
          suggest: suggest(entry.created ?? "", event.inputs.names),
        },
      );
    makers.push({ event, gate, argument });
  });
  return { makers, code };
}

/** The hints of several files as one. */
export function joinAccounts(files: readonly AccountHints[]): AccountHints {
  return { makers: files.flatMap(({ makers }) => makers), code: new Set(files.flatMap(({ code }) => [...code])) };
}
