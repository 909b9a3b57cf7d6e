import { getAddress } from "viem";
import { type Address, readAddress, zeroAddress } from "../../kernel/address.ts";
import { chain } from "../../kernel/chain-profile.ts";
import { type Part, unsupported } from "./part.ts";
import { readPlain } from "./plain-text.ts";

/** EIP-155 id of Base. */
export const baseChainId: number = chain.id;
/** Addresses of one descriptor. */
const deploymentsMax = 64;

/** The descriptor's contracts on Base, each once; the others are reported. Throws UnsupportedError when there is none. */
export function readDeployments(root: Part): Address[] {
  const deployments = root.at("context", "contract", "deployments");
  const all = (Array.isArray(deployments?.value) ? deployments.entries() : []).map(([, part]) => part);
  const found = new Set<Address>();
  let elsewhere = 0;
  for (const part of all) {
    if (part.get("chainId")?.value !== baseChainId) elsewhere++;
    else addDeployment(part, found);
  }
  if (found.size === 0)
    unsupported(
      `no deployment on chain ${baseChainId}: the descriptor is left out`,
      deployments ?? root.at("context", "contract"),
    );
  for (const part of all) if (part.get("chainId")?.value !== baseChainId) part.take();
  if (elsewhere > 0) deployments?.note("deployments on other chains");
  return [...found];
}

function addDeployment(part: Part, found: Set<Address>): void {
  part.get("chainId")?.take();
  const at = part.get("address");
  const text = at?.take();
  const address = readAddress(text);
  const leaveOut = (reason: string) => (at ?? part).leaveOut(reason);
  if (address === undefined || address === zeroAddress) leaveOut("an address that is none");
  else if (!isWellSpelt(text as string, address)) leaveOut("an address with a wrong checksum");
  else if (found.size >= deploymentsMax) leaveOut(`more than ${deploymentsMax} deployments`);
  else found.add(address);
}

/** The name of the contract by what the descriptor says of it; what is no plain text is reported. */
export function readContractName(root: Part): string | undefined {
  const read = (...keys: string[]): string | undefined => {
    const part = root.at(...keys);
    const name = readPlain(part?.value, "name");
    if (name !== undefined) part?.take();
    else part?.leaveOut("a name that is not short, plain, printable ASCII text");
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
