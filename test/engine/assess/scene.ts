import { encodeAbiParameters, encodeFunctionData, keccak256, parseAbi, toHex } from "viem";
import type { SubjectAct } from "../../../src/engine/assess/subject-act.ts";
import { Markets } from "../../../src/engine/money/markets.ts";
import { MoneyTrail } from "../../../src/engine/money/trail.ts";
import { normalize } from "../../../src/engine/normalize/normalize.ts";
import { precompilesIn } from "../../../src/engine/unwrap/gates.ts";
import { type Address, checksum, toAddress, zeroAddress } from "../../../src/kernel/address.ts";
import type { Hex } from "../../../src/kernel/hex.ts";
import type { CaseFile, RpcFrame, RpcLog, TokenLookup } from "../../../src/model/case-file.ts";
import type { RiskFinding } from "../../../src/model/evidence.ts";
import type { Explanation, FlagCode } from "../../../src/model/explanation.ts";
import type { Labels } from "../../../src/model/label.ts";
import type { HistoryLookup, RiskLookups, VerificationLookup } from "../../../src/model/risk-lookups.ts";
import { explainCase, labels, ruleset } from "../../property/world.ts";
import { caseFileOf, hashOf } from "../../support/sample.ts";

/** An address made from the hash of a name, so that two addresses never look alike. */
export function someone(name: string): Address {
  return toAddress(`0x${keccak256(toHex(name)).slice(-40)}`);
}

export const alice = someone("alice");
export const spender = someone("spender");
export const token = someone("token");
export const router = someone("router");
export const usdc = labels.system("usdc")[0] as Address;
export const weth = labels.system("weth")[0] as Address;
/** The contracts of a rule file that the flags look at. */
const permit2Event = [...ruleset.grants.events.values()].flat().find(({ protocol }) => protocol === "Permit2");
export const permit2 = [...(permit2Event?.contracts ?? [])][0] as Address;
export const allowanceModule = "0xaa46724893dedd72658219405185fb0fc91e091c" as Address;
export const permissionManager = "0xf85210b21cc50302f477ba56686d2019dc9b67ad" as Address;
const operationEvent = ruleset.failures.find(({ event }) => event.name === "UserOperationEvent");
export const entryPoint = [...(operationEvent?.contracts ?? [])][0] as Address;
export const maxUint = (1n << 256n) - 1n;

/** The parts of a case. By default alice calls the router, which does nothing. */
export interface Scene {
  from?: Address;
  to?: Address | null;
  input?: Hex;
  value?: bigint;
  logs?: RpcLog[];
  /** Frames below the envelope. Without them the case has no call tree. */
  frames?: RpcFrame[];
  status?: "0x0" | "0x1";
  /** Return data of the envelope; needs frames. */
  output?: Hex;
  tokens?: Record<string, Partial<TokenLookup>>;
  /** Total supplies that could be read. */
  supplies?: Record<string, bigint>;
  risk?: Partial<RiskLookups>;
  authorizations?: NonNullable<CaseFile["transaction"]["authorizationList"]>;
}

/** A case file that holds what the scene says. */
export function caseOf(scene: Scene): CaseFile {
  const { from = alice, to = router, input = "0x12345678", value = 0n, logs = [] } = scene;
  const tokens = Object.entries(scene.tokens ?? {}).map(([address, parts]) => {
    const nothing = {
      status: "found" as const,
      source: "test",
      symbol: null,
      name: null,
      decimals: 18,
      standard: null,
    };
    return [address, { ...nothing, ...parts }] as const;
  });
  const base = caseFileOf(hashOf(7));
  const root: RpcFrame = {
    type: "CALL",
    from,
    to: to ?? zeroAddress,
    input,
    value: toHex(value),
    calls: scene.frames ?? [],
    ...(scene.output === undefined ? {} : { output: scene.output, error: "execution reverted" }),
  };
  return {
    ...base,
    transaction: {
      ...{ ...base.transaction, from, to, input, value: toHex(value), nonce: "0x5", transactionIndex: "0x3" },
      ...(scene.authorizations === undefined ? {} : { type: "0x4", authorizationList: scene.authorizations }),
    },
    receipt: { status: scene.status ?? "0x1", logs, gasUsed: "0x186a0" },
    block: { number: "0x64", timestamp: "0x6553f100" },
    trace:
      scene.frames === undefined
        ? { source: "internal_transfers", provider: "explorer.example", internal_transfers: [] }
        : { source: "debug_traceTransaction", root },
    tokens: Object.fromEntries(tokens),
    reads: Object.entries(scene.supplies ?? {}).map(([address, supply]) => ({
      ...{ status: "found" as const, source: "test", to: toAddress(address), data: "0x18160ddd" as const },
      result: word(supply),
    })),
    ...(scene.risk === undefined ? {} : { risk: { ...answers({}), ...scene.risk } }),
  };
}

/** The input of flags and checks for alice's transaction, without any call. */
export function actOf(file: CaseFile, own: Labels = labels): SubjectAct {
  const tx = normalize(file, own);
  return {
    ...{ file, tx, subject: alice, principals: new Set([alice]), calls: [], named: [], payees: [], controllers: [] },
    ...{
      trail: new MoneyTrail(tx),
      markets: new Markets(tx),
      isProven: () => false,
      isPrecompile: precompilesIn(file, ruleset)(tx.logs),
      signed: null,
      labels: own,
      ruleset,
    },
  };
}

/** The explanation of a scene. */
export function explain(scene: Scene): Explanation {
  return explainCase(caseOf(scene)).explanation;
}

/** All findings in a scene, including evidence that raises no flag. */
export function findings(scene: Scene): RiskFinding[] {
  return explainCase(caseOf(scene)).evidence().risk.findings;
}

/** The details of one kind of flag. */
export function flagged(scene: Scene, flag: FlagCode): string[] {
  return explain(scene)
    .risk_flags.filter((one) => one.flag === flag)
    .map(({ detail }) => detail);
}

export const time = "2026-01-02T03:04:05.000Z";

/** Lookups that all answered: no address is listed, the account has no history, and no code was looked up. */
export function answers(parts: Partial<RiskLookups>): RiskLookups {
  return { verification: {}, history: { [alice]: history({}) }, drainers: drainers([]), ...parts };
}

export function history(parts: Partial<HistoryLookup>): HistoryLookup {
  const whole = { complete: true, through_code: false, counterparties: [], unordered: [] };
  return { status: "found", source: "explorer", time, ...whole, ...parts };
}

export function code(parts: Partial<VerificationLookup> = {}): VerificationLookup {
  return { status: "found", source: "sourcify", time, code: "contract", logic: [], via: [], owned: false, ...parts };
}

export function drainers(
  hits: { address: Address; list: string }[],
  parts: Partial<RiskLookups["drainers"]> = {},
): RiskLookups["drainers"] {
  const list = { name: "list.txt", snapshot_time: time, sha256: "0".repeat(64), entries: 3, stale: false };
  const asked = everyone;
  return { status: "found", source: "list.txt", time, lists: [list], asked, hits, ...parts };
}

/** Every named account of these tests. All of them were looked up in the lists. */
export const everyone: Address[] = [
  ...["alice", "spender", "token", "router", "operator", "collection", "bob", "delegate", "bundler", "pool", "coin"],
  ...["second", "third", "junk0", "junk1", "junk2", "junk3", "spender0", "spender1", "spender2", "spender3"],
].map(someone);

export function word(value: bigint | Address): Hex {
  return toHex(BigInt(value), { size: 32 });
}

export function approval(emitter: Address, owner: Address, grantee: Address, amount: bigint): RpcLog {
  const topic = keccak256(toHex("Approval(address,address,uint256)"));
  return { address: emitter, topics: [topic, word(owner), word(grantee)], data: word(amount) };
}

export function transfer(emitter: Address, from: Address, to: Address, amount: bigint): RpcLog {
  const topic = keccak256(toHex("Transfer(address,address,uint256)"));
  return { address: emitter, topics: [topic, word(from), word(to)], data: word(amount) };
}

export function nftTransfer(emitter: Address, from: Address, to: Address, id: bigint): RpcLog {
  const topic = keccak256(toHex("Transfer(address,address,uint256)"));
  return { address: emitter, topics: [topic, word(from), word(to), word(id)], data: "0x" };
}

export function approvalForAll(emitter: Address, owner: Address, operator: Address, approved: boolean): RpcLog {
  const topic = keccak256(toHex("ApprovalForAll(address,address,bool)"));
  return { address: emitter, topics: [topic, word(owner), word(operator)], data: word(approved ? 1n : 0n) };
}

export function permit2Approval(owner: Address, of: Address, to: Address, amount: bigint, expiration = 0n): RpcLog {
  const topic = keccak256(toHex("Approval(address,address,address,uint160,uint48)"));
  const data = encodeAbiParameters([{ type: "uint160" }, { type: "uint48" }], [amount, Number(expiration)]);
  return { address: permit2, topics: [topic, word(owner), word(of), word(to)], data };
}

/** An event of the module that keeps the allowances of Safes. */
export function safeAllowance(safe: Address, delegate: Address, of: Address, amount: bigint): RpcLog {
  const topics = [keccak256(toHex("SetAllowance(address,address,address,uint96,uint16)")), word(safe)];
  const data = `${word(delegate)}${[word(of), word(amount), word(0n)].map((value) => value.slice(2)).join("")}` as Hex;
  return { address: allowanceModule, topics, data };
}

/** An event of the SpendPermissionManager: `salt` tells permissions apart. */
export function spendPermission(
  owner: Address,
  [of, to, amount]: readonly [Address, Address, bigint],
  { salt = 0n, event = "SpendPermissionApproved" } = {},
): RpcLog {
  const type = "(address,address,address,uint160,uint48,uint48,uint48,uint256,bytes)";
  const permission = [owner, to, of, amount, 86_400n, 1n, (1n << 48n) - 1n, salt].map((value) => word(value).slice(2));
  const data = `0x${word(32n).slice(2)}${permission.join("")}${word(288n).slice(2)}${word(0n).slice(2)}` as Hex;
  const topics = [keccak256(toHex(`${event}(bytes32,${type})`)), word(salt + 1n)];
  return { address: permissionManager, topics, data };
}

export function permit2Permit(owner: Address, of: Address, to: Address, amount: bigint): RpcLog {
  const topic = keccak256(toHex("Permit(address,address,address,uint160,uint48,uint48)"));
  return {
    address: permit2,
    topics: [topic, word(owner), word(of), word(to)],
    data: `${word(amount)}${"0".repeat(128)}`,
  };
}

export const erc20 = parseAbi([
  "function approve(address spender, uint256 value)",
  "function increaseAllowance(address spender, uint256 addedValue)",
  "function transfer(address to, uint256 value)",
  "function transferFrom(address from, address to, uint256 value)",
  "function setApprovalForAll(address operator, bool approved)",
]);

export function approveCall(grantee: Address, amount: bigint): Hex {
  return encodeFunctionData({ abi: erc20, functionName: "approve", args: [checksum(grantee) as Address, amount] });
}

export function transferCall(to: Address, amount: bigint): Hex {
  return encodeFunctionData({ abi: erc20, functionName: "transfer", args: [to, amount] });
}

export function approvalForAllCall(operator: Address, approved: boolean): Hex {
  return encodeFunctionData({ abi: erc20, functionName: "setApprovalForAll", args: [operator, approved] });
}
