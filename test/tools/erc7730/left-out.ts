import { descriptorOf, importOne, reasonsOf } from "./descriptor-folder.ts";

/** A part of ERC-7730 (versions 1 and 2) that no rule can say, and where it is listed, and why. What can be said is in told-fields.test.ts. */
export type LeftOut = [part: string, field: object, more: object, listed: string];

/** A function with arguments of many types. */
export const key = "act(uint256 a,address t,address to,uint256[] list,bytes data,uint256 n,bytes32 word)";
export const act = `/display/formats/${key}`;

/** A field that can be told. */
export const fine = { path: "a", label: "Info", format: "raw" };

/** Where the first field of the function is listed. */
export const first = "@/fields/0";

/** What is listed of one field beside a good one. */
export function listedOf(field: object, more: object = {}): string[] {
  const { metadata = {}, ...format } = more as { metadata?: object };
  const descriptor = descriptorOf(
    { [key]: { intent: "Act", fields: [field, fine], ...format } },
    { metadata: { owner: "Acme", contractName: "Vault", ...metadata } },
  );
  return reasonsOf(importOne(descriptor)).map((line) => line.replace(act, "@"));
}
