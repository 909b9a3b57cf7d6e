/** Rules that tests made up, about a hub and about money flow, and the cases on which they are tried. */
import { checksum } from "../../../src/kernel/address.ts";
import { alice, caseOf, logOf, token, transferLog, vault } from "../../support/case-of.ts";

export const did = "event Did(address indexed who, uint256 amount)";
/** The beginning of a file with rules about the vault, which is its hub. */
export const head = (name: string) => `protocol: ${name}
kind: protocol
name: ${name}
site: https://example.org
contracts:
  hub: { source: test, ${name} hub: "${checksum(vault)}" }
abi:
  Did: "${did}"
  act: "function act(uint256 amount)"
  Transfer: "event Transfer(address indexed from, address indexed to, uint256 value)"
rules:`;
/** A file of rules about money flow. */
export const flowFile = (rules: string) => `protocol: flow
kind: standard
rules:
${rules}`;

/** What the hub says of alice. */
export const didOf = (amount: bigint) => logOf(vault, did, { who: alice, amount });
/** What a contract says of anybody. */
export const didLog = (who: string, at = vault) => logOf(at, did, { who, amount: 5n });
/** Alice pays the hub, which says so. */
export const paid = caseOf({ receipt: { logs: [transferLog(token, alice, vault, 5n), didLog(alice)] } });
