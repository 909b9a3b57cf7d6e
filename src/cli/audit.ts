import { auditAnswer } from "../audit/audit.ts";
import type { Knowledge } from "../audit/knowledge.ts";
import type { Engine } from "../engine/engine.ts";
import type { Address } from "../kernel/address.ts";
import { readOwnCase } from "./explainer.ts";

/**
 * Audits the answers to case files: one line for each violation, with the file's name before it where there are several. Status 1 when
 * there is any. Rejects with CaseFileError, or UsageError for another chain's case.
 */
export async function auditCases(paths: readonly string[], engine: Engine): Promise<{ text: string; status: 0 | 1 }> {
  const knowledge = knowledgeOf(engine);
  const lines: string[] = [];
  for (const path of paths) {
    const caseFile = await readOwnCase(path);
    const violations = auditAnswer(caseFile, engine.decide(caseFile).explanation, knowledge);
    const place = paths.length > 1 ? `${path}: ` : "";
    lines.push(...violations.map(({ law, sentence }) => `${place}law ${law}: ${sentence}\n`));
  }
  return { text: lines.join(""), status: lines.length === 0 ? 0 : 1 };
}

/** Rule files whose contracts prove who acted. */
const proofs = { entryPoint: "erc4337", permit2: "permit2", safe: "safe" } as const;

/** What labels and rules know of contracts, for the auditor. */
export function knowledgeOf({ labels, contracts, catalog }: Engine): Knowledge {
  const files = new Map<Address, Set<string>>();
  for (const { address, category } of contracts) files.set(address, (files.get(address) ?? new Set()).add(category));
  const names = new Map(catalog.protocols.flatMap(({ id, name }) => (name === null ? [] : [[id, name] as const])));
  const isOf = (file: string) => (address: Address) => files.get(address)?.has(file) === true;
  return {
    name(address) {
      const found = labels.name(address);
      const protocols = [...(files.get(address) ?? [])].flatMap((file) => names.get(file) ?? []);
      return found && { label: found.label, protocols };
    },
    token: (address) => labels.token(address),
    isEntryPoint: isOf(proofs.entryPoint),
    isPermit2: isOf(proofs.permit2),
    isSafe: isOf(proofs.safe),
    wrapped: new Set(labels.system("weth")),
    protocols: [...new Set(names.values())].sort(),
  };
}
