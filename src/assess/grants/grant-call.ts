import { decodeFunctionData, parseAbi } from "viem";
import { type Address, readAddress } from "../../kernel/address.ts";
import type { Hex } from "../../kernel/hex.ts";
import type { SubjectAct } from "../subject-act.ts";

/** A call that grants, as far as its calldata says. */
export interface GrantCall {
  /** The contract that was called. */
  to: Address;
  /** msg.sender. */
  from: Address;
  /** Whose allowance it sets: the named owner of a permit, else the caller. */
  owner: Address;
  selector: Hex;
}

/**
 * Calls of this transaction that set allowances: approve, increaseAllowance, setApprovalForAll, permit (EIP-2612, DAI, with
 * bytes for ERC-1271). Of the real call tree where there is one, else of the calldata.
 */
export function findGrantCalls({ tx, calls }: Pick<SubjectAct, "tx" | "calls">): GrantCall[] {
  const frames = tx.traced
    ? tx.calls.filter((call) => call.ok && call.kind === "call")
    : calls.filter((call) => call.state !== "failed" && !call.delegate);
  return frames.flatMap(({ from, to, input }) => (to === null ? [] : readGrant({ from, to, input })));
}

/** Whether calldata begins with a function that sets an allowance. */
export function isGrantSelector(input: string): boolean {
  return selectors.has(input.slice(0, 10));
}

const grantAbi = parseAbi([
  "function approve(address spender, uint256 value)",
  "function increaseAllowance(address spender, uint256 addedValue)",
  "function setApprovalForAll(address operator, bool approved)",
  "function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)",
  "function permit(address holder, address spender, uint256 nonce, uint256 expiry, bool allowed, uint8 v, bytes32 r, bytes32 s)",
  "function permit(address owner, address spender, uint256 value, uint256 deadline, bytes signature)",
]);

/** approve, increaseAllowance, setApprovalForAll and the three permits; a test computes them from the signatures above. */
const selectors: ReadonlySet<string> = new Set([
  "0x095ea7b3",
  "0x39509351",
  "0xa22cb465",
  "0xd505accf",
  "0x8fcbaf0c",
  "0x9fd5a6cf",
]);

function readGrant({ from, to, input }: { from: Address; to: Address; input: Hex }): GrantCall[] {
  if (!isGrantSelector(input)) return [];
  try {
    const { functionName, args } = decodeFunctionData({ abi: grantAbi, data: input });
    const owner = functionName === "permit" ? readAddress(args[0]) : from;
    return owner === undefined ? [] : [{ to, from, owner, selector: input.slice(0, 10) as Hex }];
  } catch {
    return [];
  }
}
