import { toAddress } from "../../../src/kernel/address.ts";
import { DescriptorPart, reportUnused } from "../../../src/tools/erc7730/descriptor/part.ts";
import { type Intent, readIntents } from "../../../src/tools/erc7730/rules/intent.ts";
import { vault } from "./descriptor-folder.ts";

/** The intents of a descriptor, and the report about its functions. */
export function intentsOf(
  formats: unknown,
  more: object = {},
  problemOf: (selector: string) => string | undefined = () => undefined,
): { intents: Intent[]; reported: string[] } {
  const reported: string[] = [];
  const descriptor = { context: { contract: {} }, metadata: {}, display: { formats }, ...more };
  const root = DescriptorPart.root(descriptor, (place, reason) => {
    if (!/^\/(?:context|metadata)(?:\/|$)/.test(place)) reported.push(`${place}: ${reason}`);
  });
  const intents = readIntents({ root, addresses: [toAddress(vault)] }, problemOf);
  reportUnused(root);
  return { intents, reported };
}

/** What is told about the fields of one function, and the report about it, by the path after the function. */
export function fieldsOf(
  parameters: string,
  fields: unknown,
  metadata: object = {},
  format: object = {},
): { intent: Intent | undefined; reported: string[] } {
  const formats = { [`act(${parameters})`]: { intent: "Act", fields, ...format } };
  const { intents, reported } = intentsOf(formats, { metadata });
  return { intent: intents[0], reported: reported.map((line) => line.replace(/^.*\)\/(?:fields\/)?/, "")) };
}
