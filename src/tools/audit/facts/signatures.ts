import { toEventSelector, toFunctionSelector } from "viem/utils";
import { approvalForAllTopic, approvalTopic } from "../../../kernel/token-standards.ts";

/**
 * Repeated here on purpose, so that the auditor also sees what the rules forget. Any contract can emit these, so each reader checks who
 * did.
 */
export const events = {
  approval: approvalTopic,
  approvalForAll: approvalForAllTopic,
  /** WETH9 */
  wrapped: toEventSelector("Deposit(address,uint256)"),
  unwrapped: toEventSelector("Withdrawal(address,uint256)"),
  /** ERC-4337 */
  userOperation: toEventSelector("UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)"),
  beforeExecution: toEventSelector("BeforeExecution()"),
  accountDeployed: toEventSelector("AccountDeployed(bytes32,address,address,address)"),
  /** ERC-3009 */
  authorizationUsed: toEventSelector("AuthorizationUsed(address,bytes32)"),
  /** Permit2 */
  permit2Approval: toEventSelector("Approval(address,address,address,uint160,uint48)"),
  permit2Permit: toEventSelector("Permit(address,address,address,uint160,uint48,uint48)"),
  permit2Lockdown: toEventSelector("Lockdown(address,address,address)"),
} as const;

export const selectors = {
  transferFrom: toFunctionSelector("transferFrom(address,address,uint256)"),
  /** ERC-2612 */
  permit: toFunctionSelector("permit(address,address,uint256,uint256,uint8,bytes32,bytes32)"),
} as const;

/** Executions for its owners or a module. */
export const safeExecutions: ReadonlySet<string> = new Set([
  toFunctionSelector("execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)"),
  toFunctionSelector("execTransactionFromModule(address,uint256,bytes,uint8)"),
  toFunctionSelector("execTransactionFromModuleReturnData(address,uint256,bytes,uint8)"),
]);

/** A token may report an allowance after these because it was spent. */
export const spendingCalls: ReadonlySet<string> = new Set([
  selectors.transferFrom,
  toFunctionSelector("transfer(address,uint256)"),
  toFunctionSelector("burnFrom(address,uint256)"),
  toFunctionSelector("burn(uint256)"),
  toFunctionSelector("withdraw(uint256,address,address)"),
  toFunctionSelector("redeem(uint256,address,address)"),
  toFunctionSelector("safeTransferFrom(address,address,uint256)"),
  toFunctionSelector("safeTransferFrom(address,address,uint256,bytes)"),
]);

export interface ControlEvent {
  /** In the words of violations. */
  what: string;
  /** The new controller or number, counted over topics and data words. */
  shows: { kind: "address" | "number"; argument: number } | null;
  /** About a contract and its owner (EIP-173), not about the emitter as an account. */
  previousOwner: boolean;
}

const account = (what: string, kind: "address" | "number" = "address", argument = 0): ControlEvent => ({
  what,
  shows: { kind, argument },
  previousOwner: false,
});

/** Keyed by topic. Arguments as declared, indexed or not. */
export const controlEvents: ReadonlyMap<string, ControlEvent> = new Map([
  // Safe
  [toEventSelector("AddedOwner(address)"), account("an owner was added")],
  [toEventSelector("RemovedOwner(address)"), account("an owner was removed")],
  [toEventSelector("ChangedThreshold(uint256)"), account("the number of signatures was changed", "number")],
  [toEventSelector("EnabledModule(address)"), account("a module was enabled")],
  [toEventSelector("DisabledModule(address)"), account("a module was disabled")],
  [toEventSelector("ChangedGuard(address)"), account("the guard was changed")],
  [toEventSelector("ChangedModuleGuard(address)"), account("the module guard was changed")],
  [toEventSelector("ChangedFallbackHandler(address)"), account("the fallback handler was changed")],
  // Smart accounts
  [toEventSelector("AddOwner(uint256,bytes)"), account("an owner was added", "address", 3)],
  [toEventSelector("RemoveOwner(uint256,bytes)"), account("an owner was removed", "address", 3)],
  [toEventSelector("ModuleInstalled(uint256,address)"), account("a module was installed", "address", 1)],
  [toEventSelector("ModuleUninstalled(uint256,address)"), account("a module was removed", "address", 1)],
  [toEventSelector("Upgraded(address)"), account("the code was replaced")],
  // EIP-173
  [
    toEventSelector("OwnershipTransferred(address,address)"),
    { what: "the ownership was given away", shows: { kind: "address", argument: 1 }, previousOwner: true },
  ],
]);
