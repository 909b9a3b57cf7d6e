import { basename, dirname } from "node:path/posix";
import { checksum, toAddress } from "../../kernel/address.ts";
import { compareText } from "../../kernel/canonical.ts";
import type { ProtocolFacts } from "../../model/told/protocol-facts.ts";
import type { LoadedFile } from "./compile-documents.ts";
import type { MemberEntry, RuleDocument, RuleEntry } from "./document/rule-document.ts";

/** In order of id. */
export function describeProtocols(files: readonly LoadedFile[]): ProtocolFacts[] {
  return files
    .flatMap(({ document, source }) => (document === undefined ? [] : [describe(document, source.file)]))
    .sort((a, b) => compareText(a.id, b.id));
}

function describe(document: RuleDocument, file: string): ProtocolFacts {
  const { protocol, name, kind, site = null, contracts = {}, members = {}, rules = [] } = document;
  return {
    id: protocol,
    name: kind === "protocol" ? (name ?? protocol) : null,
    family: basename(dirname(file.replaceAll("\\", "/"))),
    site,
    contracts: Object.entries(contracts).flatMap(([role, entries]) =>
      entries.map(({ address, label, source }) => ({ role, label, address: checksum(toAddress(address)), source })),
    ),
    members: Object.entries(members).map(([role, entry]) => ({ role, proof: proofOf(entry) })),
    rules: rules.map((rule) => ({ id: rule.id, action: rule.action, says: rule.does, anchor: anchorOf(rule) })),
  };
}

function proofOf({ registry, created }: MemberEntry): ProtocolFacts["members"][number]["proof"] {
  if (registry !== undefined) return "registry";
  return created !== undefined ? "creation" : "address";
}

function anchorOf({ event, call, transfer, authorization, at }: RuleEntry): string {
  const place = at === undefined ? "" : ` at ${[at].flat().join(" or ")}`;
  if (event !== undefined) return `event ${[event].flat().join(" or ")}${place}`;
  if (call !== undefined) return `call ${[call].flat().join(" or ")}${place}`;
  if (transfer !== undefined) return "a transfer";
  return authorization === undefined ? "what moved" : "an EIP-7702 authorization";
}
