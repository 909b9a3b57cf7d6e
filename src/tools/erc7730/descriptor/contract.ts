import { type Address, zeroAddress } from "../../../kernel/address.ts";
import { chain } from "../../../kernel/chain-profile.ts";
import { requireAddress } from "./constant.ts";
import { type DescriptorPart, isObject, orLeaveOut, unsupported } from "./part.ts";
import { readPlain, requirePlain } from "./plain-text.ts";

/** Major versions of the format. */
const versions = ["1", "2"];
const deploymentsMax = 64;

/** Throws UnsupportedError for an unknown version, or without a contract. `folder`: the file may be meant for others to include. */
export function requireContract(root: DescriptorPart, folder: boolean): void {
  const schema = root.get("$schema");
  const [, major] = /erc7730-v(\d+)[\w.-]*$/.exec(String(schema?.value)) ?? [];
  if (major !== undefined && !versions.includes(major))
    unsupported("a version of the format that is not known: the descriptor is left out", schema);
  if (isObject(root.get("context", "contract")?.value) || isOfMessages(root)) return;
  const shared = folder && isObject(root.get("display")?.value);
  unsupported(shared ? "no contract: a file that others include" : "no contract", root.get("context"));
}

/** About messages (EIP-712), not calls. */
export function isOfMessages(root: DescriptorPart): boolean {
  return isObject(root.get("context", "eip712")?.value);
}

/**
 * Contracts on Base, each once; others are reported. Those of messages check the signature, proof enough of the domain. Throws
 * UnsupportedError without any.
 */
export function readDeployments(root: DescriptorPart): Address[] {
  const context = isOfMessages(root) ? "eip712" : "contract";
  if (context === "eip712") for (const key of ["domain", "schemas"]) root.get("context", "eip712", key)?.take();
  const deployments = root.get("context", context, "deployments");
  const found = new Set<Address>();
  let elsewhere = false;
  for (const part of deployments?.elements() ?? []) {
    if (part.get("chainId")?.take() !== chain.id) {
      elsewhere = true;
      part.take();
      continue;
    }
    const stated = part.get("address") ?? part;
    orLeaveOut(stated, () => {
      const address = requireAddress(stated.take(), "an address that is none", stated);
      if (address === zeroAddress) unsupported("an address that is none");
      if (found.size >= deploymentsMax) unsupported(`more than ${deploymentsMax} deployments`);
      found.add(address);
    });
  }
  const none = `no deployment on chain ${chain.id}: the descriptor is left out`;
  if (found.size === 0) unsupported(none, deployments ?? root.get("context", context));
  if (elsewhere) deployments?.note("deployments on other chains");
  return [...found];
}

/** Made of owner, contract name and id. A name that is no plain text is reported. Throws UnsupportedError when none is left. */
export function readContractName(root: DescriptorPart): string {
  const read = (key: string): string | undefined => {
    const part = root.get("metadata", key);
    return part && orLeaveOut(part, () => requirePlain(part.take(), "contractName"));
  };
  const [owner, name] = [read("owner"), read("contractName")];
  const id = readPlain(root.get("context", "$id")?.value, "contractName");
  const joined = owner !== undefined && name !== undefined && !name.includes(owner) ? `${owner} ${name}` : name;
  const found = readPlain(joined, "contractName") ?? name ?? id ?? owner;
  return found ?? unsupported("no contract name that is short, plain, printable ASCII text", root.get("metadata"));
}
