import { getAddress } from "viem";
import { type Address, readAddress, zeroAddress } from "../kernel/address.ts";
import { chain } from "../kernel/chain-profile.ts";
import { type Part, Unfit } from "./part.ts";
import { readPlain } from "./plain-text.ts";

/** EIP-155 id of Base. */
export const chainId: number = chain.id;
/** Addresses of one descriptor. */
const deploymentsMax = 64;

/** The descriptor's contracts on Base, each once; what is elsewhere or wrong is listed. Throws {@link Unfit} when there is none. */
export function readDeployments(root: Part): Address[] {
  const deployments = root.at("context", "contract", "deployments");
  const all = (Array.isArray(deployments?.value) ? deployments.children() : []).map(([, part]) => part);
  const here = all.filter((part) => part.get("chainId")?.value === chainId);
  const found = new Set<Address>();
  for (const part of here) {
    const problem = readDeployment(part, found);
    if (problem !== undefined) (part.get("address") ?? part).refuse(problem);
  }
  if (found.size === 0)
    throw new Unfit(
      `no deployment on chain ${chainId}: the descriptor is left out`,
      deployments ?? root.at("context", "contract"),
    );
  const elsewhere = all.filter((part) => !here.includes(part));
  for (const part of elsewhere) part.take();
  if (elsewhere.length > 0) deployments?.note("deployments on other chains");
  return [...found];
}

function readDeployment(part: Part, found: Set<Address>): string | undefined {
  part.get("chainId")?.take();
  const text = part.get("address")?.take();
  const address = readAddress(text);
  if (address === undefined || address === zeroAddress) return "an address that is none";
  if (!isWellSpelt(text as string, address)) return "an address with a wrong checksum";
  if (found.size >= deploymentsMax) return `more than ${deploymentsMax} deployments`;
  found.add(address);
  return undefined;
}

/** The name of the contract by what the descriptor says of it; what of that is no plain text is listed. */
export function readContractName(root: Part): string | undefined {
  const read = (...keys: string[]): string | undefined => {
    const part = root.at(...keys);
    const name = readPlain(part?.value, "name");
    if (name !== undefined) part?.take();
    else part?.refuse("a name that is not short, plain, printable ASCII text");
    return name;
  };
  const owner = read("metadata", "owner");
  const name = read("metadata", "contractName");
  const id = readPlain(root.at("context", "$id")?.value, "name");
  const joined = owner !== undefined && name !== undefined && !name.includes(owner) ? `${owner} ${name}` : name;
  return (joined === undefined ? undefined : readPlain(joined, "name")) ?? name ?? id ?? owner;
}

/** EIP-55, or one case throughout. */
export function isWellSpelt(text: string, address: Address): boolean {
  const digits = text.slice(2);
  return digits === digits.toLowerCase() || digits === digits.toUpperCase() || getAddress(address) === text;
}
