import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Import, importDescriptors, type Known } from "../../../src/tools/erc7730/import.ts";

export const vault = "0x1111111111111111111111111111111111111111";

/** A project without rules, so that descriptors may tell everything. */
export const noRules: Known = { nameOf: () => undefined, tells: () => false };

/** A new folder with the given files. Texts are written as they are, everything else as JSON. */
export function writeFolder(files: Record<string, unknown>): string {
  const dir = mkdtempSync(join(tmpdir(), "txgloss-erc7730-"));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), typeof content === "string" ? content : JSON.stringify(content));
  }
  return dir;
}

/** A descriptor of one contract on Base. */
export function descriptorOf(formats: unknown, more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    context: { $id: "Vault", contract: { deployments: [{ chainId: 8453, address: vault }] } },
    metadata: { owner: "Acme", contractName: "Vault" },
    display: { formats },
    ...more,
  };
}

/** Imports a folder with the given files, or one of them. */
export function importFiles(files: Record<string, unknown>, name?: string): Import {
  const dir = writeFolder(files);
  return importDescriptors(name === undefined ? dir : join(dir, name), noRules);
}

/** Imports one descriptor, and nothing beside it. */
export function importOne(descriptor: unknown): Import {
  return importFiles({ "calldata-vault.json": descriptor }, "calldata-vault.json");
}

/** What could not be imported: each place with its reason. */
export function reasonsOf({ findings }: Import): string[] {
  return findings.map(({ place, reason }) => `${place}: ${reason}`);
}
