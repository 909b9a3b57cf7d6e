import { checksum } from "../../../kernel/address.ts";
import { namedMembers } from "../../../rules/abi/abi-type.ts";
import { encodeType, structLayout } from "../../../rules/abi/struct-type.ts";
import type { TypedData } from "../../../rules/typed-data/typed-data.ts";
import { listArguments, snakeCase } from "./argument.ts";
import { argumentLine, headLines, titleOf } from "./file-text.ts";

/**
 * One rule with the message as example; `# draft:` marks what a person must look at. Without a verifying contract it asks for the domain.
 * Throws for a struct that contains itself.
 */
export function messageFileText(protocol: string, data: TypedData, action: string, schema?: string): string {
  const { domain, primaryType, types, values } = data;
  const contract = domain.verifyingContract;
  const layout = structLayout(primaryType, types);
  const name = primaryType.replace(/\W/g, "_");
  const id = `sign-${snakeCase(primaryType).replaceAll("_", "-")}`;
  return [
    ...headLines(protocol, contract, schema),
    ...(contract === null
      ? []
      : [
          "contracts:",
          "  # draft: cite where the protocol publishes this address, and find a role that says what the contract does.",
          "  verifier:",
          '    source: "unverified: the verifyingContract of a message that somebody handed over"',
          `    ${titleOf(protocol)} verifier: "${checksum(contract)}"`,
        ]),
    "abi:",
    `  ${name}: ${JSON.stringify(`message ${readable(encodeType(primaryType, types))}`)}`,
    "messages:",
    "  # draft: the id, for ever; what this rule means.",
    `  - id: ${id}`,
    `    message: ${name}`,
    contract === null ? `    domain: ${domainText(data)}` : "    at: verifier",
    "    # draft: the action of rules/actions.yaml that fits.",
    `    action: ${action}`,
    "    # draft: what it allows (`allows`), gives and asks for (`gives`, `gets`), and the call that it carries (`carries`), if any.",
    ...listArguments(layout, values, ["verifier"]).map((argument) => argumentLine(argument)),
    "    # draft: the sentence, in base form, with what a reader wants to know; [ ] around what may be missing.",
    `    say: "sign a message of {protocol}"`,
    `    example: { message: ${JSON.stringify(namedMembers(layout, values))} }`,
    "",
  ].join("\n");
}

function readable(encoded: string): string {
  return encoded.replaceAll(",", ", ").replaceAll(/\)(?=.)/g, ") ");
}

function domainText({ domain }: TypedData): string {
  const { name, version } = domain;
  return JSON.stringify({ name: name ?? "", ...(version !== null && { version }) });
}
