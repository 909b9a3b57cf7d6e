import type { Reporter } from "../../documents/reporter.ts";
import { checksum, readAddress } from "../../kernel/address.ts";
import type { UsableFile } from "../rule-view.ts";

/** RL205: addresses outside `contracts` whose capitals are not EIP-55; all lower case states no checksum. */
export function checkLiterals(file: UsableFile, reporter: Reporter): void {
  const visit = (node: unknown, path: (string | number)[]): void => {
    if (typeof node === "string" && node !== node.toLowerCase()) {
      const address = readAddress(node);
      if (address !== undefined && checksum(address) !== node)
        reporter.report("RL205", path, `\`${node}\` has a wrong EIP-55 checksum`, { suggest: checksum(address) });
    } else if (Array.isArray(node))
      node.forEach((item, i) => {
        visit(item, [...path, i]);
      });
    else if (node !== null && typeof node === "object")
      for (const [key, value] of Object.entries(node)) visit(value, [...path, key]);
  };
  visit(file.document.rules, ["rules"]);
  visit(file.document.examples, ["examples"]);
}
