import { type Address, readAddress } from "../../../kernel/address.ts";
import { readObject } from "../../../kernel/canonical.ts";
import type { Clock } from "../health/endpoint-health.ts";
import type { BodyBudget } from "../http/body-budget.ts";
import { createJsonClient } from "../http/json-client.ts";
import { readFoundObject, readImplementation, type VerifiedContract } from "../verified-contract.ts";

/** API v2; never rejects. */
export type Sourcify = ReturnType<typeof createSourcify>;

/** Sends nothing. */
export function createSourcify(
  url: string,
  { chainId, bodies, clock }: { chainId: number; bodies?: BodyBudget; clock: Clock },
) {
  const client = createJsonClient(url, { kind: "sourcify", bodies, clock });
  const pathOf = (address: Address) => `/v2/contract/${chainId}/${address}`;
  return {
    name: client.name,
    health: client.health,
    /** undefined: no answer. `match`: `exact_match`, `match` or null; unknown contracts: 404 with null. */
    async isVerified(address: Address, signal: AbortSignal): Promise<boolean | undefined> {
      const answer = await client.get(pathOf(address), signal);
      if (answer === "failed") return undefined;
      const { match, address: about } = readObject(answer.body) ?? {};
      if (readAddress(about) !== address) return undefined;
      if (answer.status === 200 && (match === "match" || match === "exact_match")) return true;
      return (answer.status === 404 || answer.status === 200) && match === null ? false : undefined;
    },
    /** undefined: no answer. */
    async readContract(address: Address, signal: AbortSignal): Promise<VerifiedContract | undefined> {
      const answer = await client.get(`${pathOf(address)}?fields=abi,compilation,proxyResolution`, signal);
      const contract = readFoundObject(answer);
      if (contract === undefined) return undefined;
      const implementation = readImplementation(readObject(contract.proxyResolution)?.implementations);
      return { name: readObject(contract.compilation)?.name, abi: contract.abi, implementation };
    },
  };
}
