import { getAddress } from "viem";
import { type Address, readAddress, zeroAddress } from "../kernel/address.ts";
import { type Listing, printable } from "./finding.ts";
import { type JsonObject, own, ownAt } from "./json-tree.ts";
import { readPlain } from "./plain-text.ts";

/** EIP-155 id of Base. */
const chainId = 8453;
/** Addresses of one descriptor. */
const deploymentsMax = 64;

/** The descriptor's contracts on Base, each once; wrong addresses and a descriptor without any are listed. */
export function readDeployments(descriptor: JsonObject, list: Listing): Address[] {
  const deployments = ownAt(descriptor, "context", "contract", "deployments");
  const here = (Array.isArray(deployments) ? deployments : []).filter((one) => own(one, "chainId") === chainId);
  if (here.length === 0) list("context.contract.deployments", `no deployment on chain ${chainId}`);
  const found = new Set<Address>();
  for (const deployment of here) {
    const text = own(deployment, "address");
    const address = readAddress(text);
    if (address === undefined || address === zeroAddress) list(printable(text), "an address that is none");
    else if (!isWellSpelt(text as string, address)) list(printable(text), "an address with a wrong checksum");
    else if (found.size >= deploymentsMax) list(printable(text), `more than ${deploymentsMax} deployments`);
    else found.add(address);
  }
  return [...found];
}

/** The name of the contract by what the descriptor says of it; undefined when none of that is plain text. */
export function readContractName(descriptor: JsonObject): string | undefined {
  const owner = readPlain(ownAt(descriptor, "metadata", "owner"), "name");
  const name = readPlain(ownAt(descriptor, "metadata", "contractName"), "name");
  const id = readPlain(ownAt(descriptor, "context", "$id"), "name");
  const joined = owner !== undefined && name !== undefined && !name.includes(owner) ? `${owner} ${name}` : name;
  return (joined === undefined ? undefined : readPlain(joined, "name")) ?? name ?? id ?? owner;
}

/** EIP-55, or one case throughout. */
function isWellSpelt(text: string, address: Address): boolean {
  const digits = text.slice(2);
  return digits === digits.toLowerCase() || digits === digits.toUpperCase() || getAddress(address) === text;
}
