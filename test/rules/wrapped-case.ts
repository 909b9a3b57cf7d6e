import {
  concatHex,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  encodePacked,
  numberToHex,
  pad,
  parseAbi,
  parseAbiParameters,
  size,
} from "viem";
import type { CaseFile, InternalTransfer, RpcFrame, RpcLog } from "../../src/model/case-file.ts";

type Hex = `0x${string}`;

/** The wrapper that carries the account's call, and what else happens in the same transaction. */
export interface Wrapping {
  by: "itself" | "operation v0.6" | "operation v0.7" | "Safe" | "MultiSend" | "delegation";
  /** Whether the batch first gives allowances for what the act pays. */
  approves?: boolean;
  /** The operation's gas is paid in USDC to its paymaster. */
  gasInToken?: boolean;
  /** A stranger's token arrives. */
  airdrop?: boolean;
}

/** What the paymaster takes. */
export const gasPaid = "0.012345 USDC";

/** Written here and not read from the rules: the tests must know how wrappers look on the chain without trusting the rules. */
const abi = parseAbi([
  "function execute(address target, uint256 value, bytes data)",
  "function executeBatch((address target, uint256 value, bytes data)[] calls)",
  "function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)",
  "function multiSend(bytes transactions)",
  "function approve(address spender, uint256 value)",
  "event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)",
  "event BeforeExecution()",
  "event ExecutionSuccess(bytes32 txHash, uint256 payment)",
  "event Approval(address indexed owner, address indexed spender, uint256 value)",
  "event Transfer(address indexed from, address indexed to, uint256 value)",
]);
const operationsV6 = parseAbi([
  "function handleOps((address sender, uint256 nonce, bytes initCode, bytes callData, uint256 callGasLimit, uint256 verificationGasLimit, uint256 preVerificationGas, uint256 maxFeePerGas, uint256 maxPriorityFeePerGas, bytes paymasterAndData, bytes signature)[] ops, address beneficiary)",
]);
const operationsV7 = parseAbi([
  "function handleOps((address sender, uint256 nonce, bytes initCode, bytes callData, bytes32 accountGasLimits, uint256 preVerificationGas, bytes32 gasFees, bytes paymasterAndData, bytes signature)[] ops, address beneficiary)",
]);
const modes = parseAbi(["function execute(bytes32 mode, bytes executionData)"]);
const entryPointV6 = "0x5ff137d4b0fdcd49dca30c7cf57e578a026d2789";
const entryPointV7 = "0x0000000071727de22e5e9d8baf0edac6f37da032";
const multiSendCallOnly = "0x9641d764fc13c8b624c04430c7356c1c7c8102e2";
const usdc = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913";
const bundler: Hex = `0x${"b1".repeat(20)}`;
const paymaster: Hex = `0x${"9a".repeat(20)}`;
const zero: Hex = `0x${"0".repeat(40)}`;
const hash: Hex = `0x${"11".repeat(32)}`;

/** A call with what it led to, as far as an example says. */
interface Act {
  to: Hex;
  value: bigint;
  data: Hex;
  logs: RpcLog[];
  native: InternalTransfer[];
}

/** The transaction around the account's calls: its sender, and the frame in which the calls run. */
interface Outer {
  from: Hex;
  root: RpcFrame & { input: string; to: string };
  before: RpcLog[];
  after: RpcLog[];
}

/** Carries the one call of an example's sender in another way. The example must have a call tree. The subject stays the sender. */
export function wrapCase(plain: CaseFile, wrapping: Wrapping): CaseFile {
  const account = plain.transaction.from as Hex;
  const act = actOf(plain);
  const allowed = wrapping.approves ? paidTokens(plain).map((token) => allowance(account, token, act.to)) : [];
  const acts = [...allowed, act];
  const { from, root, before, after } = carry(account, acts, wrapping);
  const arriving = wrapping.airdrop ? [airdropTo(account)] : [];
  const first = [...before, ...arriving];
  const logs = [...first, ...acts.flatMap((one) => one.logs), ...after];
  const value = wrapping.by === "itself" ? plain.transaction.value : "0x0";
  const { gasUsed: _, ...receipt } = plain.receipt;
  return {
    ...plain,
    transaction: { ...plain.transaction, from, to: root.to, value, input: root.input },
    receipt: { ...(wrapping.by === "itself" ? plain.receipt : receipt), logs },
    trace: { source: "debug_traceTransaction", root: { ...root, logs: [...placed(first, 0), ...(root.logs ?? [])] } },
  };
}

/** The ERC-20 tokens of which the sender gave more than it got, without those that the sender called itself. */
export function paidTokens({ transaction, receipt }: CaseFile): Hex[] {
  const account = pad(transaction.from as Hex);
  const nets = new Map<string, bigint>();
  for (const { address, topics, data } of receipt.logs) {
    if (topics[0] !== transferTopic || topics.length !== 3 || data.length < 66) continue;
    const amount = BigInt(data.slice(0, 66));
    const change = (topics[2] === account ? amount : 0n) - (topics[1] === account ? amount : 0n);
    nets.set(address, (nets.get(address) ?? 0n) + change);
  }
  const paid = [...nets].filter(([token, net]) => net < 0n && token !== transaction.to);
  return paid.map(([token]) => token as Hex);
}

function actOf({ transaction, receipt, trace }: CaseFile): Act {
  return {
    to: transaction.to as Hex,
    value: BigInt(transaction.value),
    data: transaction.input as Hex,
    logs: receipt.logs,
    native: trace.source === "internal_transfers" ? trace.internal_transfers : [],
  };
}

function carry(account: Hex, acts: readonly Act[], wrapping: Wrapping): Outer {
  switch (wrapping.by) {
    case "itself":
      return { from: account, root: frameOf(account, acts.at(-1) as Act), before: [], after: [] };
    case "operation v0.6":
    case "operation v0.7":
      return asOperation(account, acts, wrapping);
    case "Safe":
    case "MultiSend":
      return asSafe(account, acts, wrapping.by === "MultiSend");
    case "delegation": {
      const calls = acts.map(({ to, value, data }) => ({ to, value, data }));
      const batch = encodeAbiParameters(parseAbiParameters("(address to, uint256 value, bytes data)[]"), [calls]);
      const mode: Hex = `0x01${"0".repeat(62)}`;
      const input = encodeFunctionData({ abi: modes, functionName: "execute", args: [mode, batch] });
      const root = { ...call(account, account, input), calls: acts.map((one) => frameOf(account, one)) };
      return { from: account, root, before: [], after: [] };
    }
  }
}

/** The account pays the entry point in ether before it acts, or its paymaster in USDC afterwards. */
function asOperation(account: Hex, acts: readonly Act[], { by, gasInToken }: Wrapping): Outer {
  const entryPoint = by === "operation v0.6" ? entryPointV6 : entryPointV7;
  const callData = accountCall(acts);
  const payer = gasInToken ? paymaster : zero;
  const shared = { sender: account, nonce: 1n, initCode: "0x" as const, callData, preVerificationGas: 1n };
  const signed = { ...shared, paymasterAndData: gasInToken ? paymaster : ("0x" as const), signature: "0x" as const };
  const gas = { callGasLimit: 1n, verificationGasLimit: 1n, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n };
  const packed = { accountGasLimits: hash, gasFees: hash };
  const input =
    by === "operation v0.6"
      ? encodeFunctionData({ abi: operationsV6, functionName: "handleOps", args: [[{ ...signed, ...gas }], bundler] })
      : encodeFunctionData({
          abi: operationsV7,
          functionName: "handleOps",
          args: [[{ ...signed, ...packed }], bundler],
        });
  const before = [{ address: entryPoint, topics: topicsOf("BeforeExecution", {}), data: "0x" }];
  const ended = topicsOf("UserOperationEvent", { userOpHash: hash, sender: account, paymaster: payer });
  const after = [
    ...(gasInToken ? [transferLog(usdc, account, paymaster, 12_345n)] : []),
    { address: entryPoint, topics: ended, data: words(1n, 1n, 500n, 5n) },
  ];
  const prefund = gasInToken ? [] : [{ ...call(account, entryPoint, "0x"), value: numberToHex(700n) }];
  const run = { ...call(entryPoint, account, callData), calls: acts.map((one) => frameOf(account, one)) };
  const calls = [...prefund, run, { ...call(entryPoint, bundler, "0x"), value: numberToHex(500n) }];
  const root = { ...call(bundler, entryPoint, input), logs: placed(after, prefund.length + 1), calls };
  return { from: bundler, root, before, after };
}

/** The call that the account's own code accepts: `execute` for one act, `executeBatch` for several. */
function accountCall(acts: readonly Act[]): Hex {
  const [only, ...others] = acts;
  if (only !== undefined && others.length === 0)
    return encodeFunctionData({ abi, functionName: "execute", args: [only.to, only.value, only.data] });
  const calls = acts.map(({ to, value, data }) => ({ target: to, value, data }));
  return encodeFunctionData({ abi, functionName: "executeBatch", args: [calls] });
}

function asSafe(safe: Hex, acts: readonly Act[], batch: boolean): Outer {
  const records = acts.map(({ to, value, data }) =>
    encodePacked(["uint8", "address", "uint256", "uint256", "bytes"], [0, to, value, BigInt(size(data)), data]),
  );
  const packed = encodeFunctionData({ abi, functionName: "multiSend", args: [concatHex(records)] });
  const { to, value, data } = batch
    ? ({ to: multiSendCallOnly, value: 0n, data: packed } as const)
    : (acts.at(-1) as Act);
  const input = encodeFunctionData({
    abi,
    functionName: "execTransaction",
    args: [to, value, data, batch ? 1 : 0, 0n, 0n, 0n, zero, zero, "0x"],
  });
  const after = [{ address: safe, topics: topicsOf("ExecutionSuccess", {}), data: words(BigInt(hash), 0n) }];
  const inner = acts.map((one) => frameOf(safe, one));
  const calls = batch ? [{ ...call(safe, to, packed), type: "DELEGATECALL", calls: inner }] : inner;
  return { from: bundler, root: { ...call(bundler, safe, input), logs: placed(after, 1), calls }, before: [], after };
}

function allowance(owner: Hex, token: Hex, spender: Hex): Act {
  const amount = 10n ** 30n;
  const data = encodeFunctionData({ abi, functionName: "approve", args: [spender, amount] });
  const log = { address: token, topics: topicsOf("Approval", { owner, spender }), data: words(amount) };
  return { to: token, value: 0n, data, logs: [log], native: [] };
}

function airdropTo(account: Hex): RpcLog {
  return transferLog(`0x${"ad".repeat(20)}`, `0x${"d0".repeat(20)}`, account, 5n * 10n ** 18n);
}

function call(from: Hex, to: Hex, input: Hex) {
  return { type: "CALL", from, to, value: "0x0", input };
}

function frameOf(from: Hex, { to, value, data, logs, native }: Act) {
  const calls = native.map((one) => ({
    ...call(one.from as Hex, one.to as Hex, "0x"),
    value: numberToHex(BigInt(one.value)),
  }));
  return { ...call(from, to, data), value: numberToHex(value), logs: placed(logs, 0), calls };
}

/** Logs as a tracer lists them: behind so many subcalls. */
function placed(logs: readonly RpcLog[], position: number) {
  return logs.map(({ address, topics, data }) => ({ address, topics, data, position: numberToHex(position) }));
}

function transferLog(token: string, from: Hex, to: Hex, amount: bigint): RpcLog {
  return { address: token, topics: topicsOf("Transfer", { from, to }), data: words(amount) };
}

function topicsOf(eventName: string, args: Record<string, string>): string[] {
  return encodeEventTopics({ abi, eventName, args } as Parameters<typeof encodeEventTopics>[0]) as string[];
}

function words(...values: bigint[]): Hex {
  return concatHex(values.map((value) => numberToHex(value, { size: 32 })));
}

const transferTopic = topicsOf("Transfer", {})[0];
