import { checksum, shorten, toAddress } from "../../../src/kernel/address.ts";
import { alice, calldata, caseOf, usdc } from "../../support/case-of.ts";
import { compileOwn, decideBy } from "../../support/own-rules.ts";
import { descriptorOf, importOne, vault } from "./descriptor-folder.ts";

/** What the fields of the descriptor may refer to. */
export const metadata = {
  owner: "Acme",
  contractName: "Vault",
  constants: { usdc: checksum(usdc), all: `0x${"f".repeat(63)}e`, ticker: "vUSDC", word: "Everything", third: 3 },
  enums: {
    mode: { "1": "Stable Rate", "2": "variable" },
    right: { True: "Grant all", False: "Deny all" },
    kind: { "0x01020304": "Loan" },
  },
  maps: {
    byChain: { $keyType: "chain", values: { "1": vault, "8453": checksum(usdc) } },
    byVault: { values: { [vault]: checksum(usdc) } },
  },
};

interface Told {
  signature: string;
  format: Record<string, unknown>;
  args?: readonly unknown[];
  value?: bigint;
  reverted?: boolean;
}

/** The summary of a call that moved nothing, or that reverted. */
export function tell({ signature, format, args = [], value = 0n, reverted = false }: Told): string {
  const key = signature.replace(/^function /, "");
  const made = importOne(descriptorOf({ [key]: { intent: "Do it", ...format } }, { metadata }));
  const rules = compileOwn(...made.files.map(({ text }) => text));
  const transaction = { ...caseOf().transaction, to: toAddress(vault), input: calldata(signature, args) };
  const trace = { source: "internal_transfers" as const, provider: "explorer.example", internal_transfers: [] };
  const receipt = { ...caseOf().receipt, ...(reverted && { status: "0x0" as const }) };
  const file = caseOf({ transaction: { ...transaction, value: `0x${value.toString(16)}` }, receipt, trace });
  return decideBy(rules, file).explanation.summary;
}

/** How every sentence begins. */
export const start = `${shorten(alice)} called ${shorten(toAddress(vault))} to do it`;

/** The signature of a function with these parameters. */
export const functionOf = (parameters: string) => `function f(${parameters})`;

/** One field with the label Info. */
export function told(parameters: string, field: object, args: readonly unknown[]): string {
  return tell({ signature: functionOf(parameters), format: { fields: [{ label: "Info", ...field }] }, args });
}
