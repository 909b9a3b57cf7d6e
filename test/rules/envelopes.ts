import {
  concatHex,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  encodePacked,
  parseAbi,
  parseAbiParameters,
  size,
} from "viem";
import type { CaseFile, InternalTransfer, RpcLog } from "../../src/model/case-file.ts";

/** A call that the subject makes. */
export interface InnerCall {
  to: `0x${string}`;
  value: bigint;
  data: `0x${string}`;
}

/** The ways in which the same acts can reach the chain. `own`: the account sends them itself. */
export type Envelope = "own" | "operation" | "untraced operation" | "safe" | "delegated" | "untraced";

/** Written here and not read from the rules: the tests must know how wrappers look on the chain without trusting the rules. */
const abi = parseAbi([
  "function handleOps((address sender, uint256 nonce, bytes initCode, bytes callData, bytes32 accountGasLimits, uint256 preVerificationGas, bytes32 gasFees, bytes paymasterAndData, bytes signature)[] ops, address beneficiary)",
  "function executeBatch((address target, uint256 value, bytes data)[] calls)",
  "function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)",
  "function multiSend(bytes transactions)",
  "function execute(bytes32 mode, bytes executionData)",
  "event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)",
  "event ExecutionSuccess(bytes32 txHash, uint256 payment)",
]);
const entryPoint = "0x0000000071727de22e5e9d8baf0edac6f37da032";
const multiSendCallOnly = "0x9641d764fc13c8b624c04430c7356c1c7c8102e2";
const bundler = `0x${"b1".repeat(20)}` as const;
const zero = `0x${"0".repeat(40)}` as const;
const word = `0x${"11".repeat(32)}` as const;

/** Puts the same acts of the same account into another envelope. The subject stays the sender of `plain`. */
export function putInto(envelope: Envelope, plain: CaseFile, calls: readonly InnerCall[]): CaseFile {
  switch (envelope) {
    case "own":
      return plain;
    case "untraced":
      return untraced(plain);
    case "operation":
      return asOperation(plain, calls);
    case "untraced operation":
      return untraced(asOperation(plain, calls));
    case "safe":
      return asSafe(plain, calls);
    case "delegated":
      return asDelegated(plain, calls);
  }
}

/** One user operation of entry point 0.7, sent by a bundler. It runs the account's `executeBatch`. */
function asOperation(plain: CaseFile, calls: readonly InnerCall[]): CaseFile {
  const account = subjectOf(plain);
  const callData = encodeFunctionData({
    abi,
    functionName: "executeBatch",
    args: [calls.map(({ to, value, data }) => ({ target: to, value, data }))],
  });
  const operation = {
    ...{ sender: account, nonce: 1n, initCode: "0x" as const, callData, accountGasLimits: word },
    ...{ preVerificationGas: 0n, gasFees: word, paymasterAndData: "0x" as const, signature: "0x" as const },
  };
  const input = encodeFunctionData({ abi, functionName: "handleOps", args: [[operation], bundler] });
  const topics = encodeEventTopics({
    abi,
    eventName: "UserOperationEvent",
    args: { userOpHash: word, sender: account, paymaster: zero },
  });
  const data = encodeAbiParameters(parseAbiParameters("uint256, bool, uint256, uint256"), [1n, true, 5n, 5n]);
  return sentBy(bundler, plain, calls, { to: entryPoint, input, log: logOf(entryPoint, topics, data) });
}

/** A Safe's transaction: one call, or several through MultiSendCallOnly. */
function asSafe(plain: CaseFile, calls: readonly InnerCall[]): CaseFile {
  const safe = subjectOf(plain);
  const [only] = calls;
  const inner =
    calls.length === 1 && only !== undefined
      ? { ...only, operation: 0 }
      : { to: multiSendCallOnly as `0x${string}`, value: 0n, data: packedCalls(calls), operation: 1 };
  const input = encodeFunctionData({
    abi,
    functionName: "execTransaction",
    args: [inner.to, inner.value, inner.data, inner.operation, 0n, 0n, 0n, zero, zero, "0x"],
  });
  const topics = encodeEventTopics({ abi, eventName: "ExecutionSuccess" });
  const data = encodeAbiParameters(parseAbiParameters("bytes32, uint256"), [word, 0n]);
  return sentBy(bundler, plain, calls, { to: safe, input, log: logOf(safe, topics, data) });
}

/** An ERC-7821 batch that an account with EIP-7702 code sends to itself. */
function asDelegated(plain: CaseFile, calls: readonly InnerCall[]): CaseFile {
  const account = subjectOf(plain);
  const batch = encodeAbiParameters(parseAbiParameters("(address to, uint256 value, bytes data)[]"), [[...calls]]);
  const mode = `0x01${"0".repeat(62)}` as const;
  const input = encodeFunctionData({ abi, functionName: "execute", args: [mode, batch] });
  return sentBy(account, plain, calls, { to: account, input });
}

function sentBy(
  from: `0x${string}`,
  plain: CaseFile,
  calls: readonly InnerCall[],
  outer: { to: `0x${string}`; input: `0x${string}`; log?: RpcLog },
): CaseFile {
  const account = subjectOf(plain);
  const own = calls
    .filter((call) => call.value > 0n)
    .map(
      ({ to, value }): InternalTransfer => ({
        ...{ type: "call", from: account, to, value: value.toString(), success: true },
      }),
    );
  const listed = plain.trace.source === "internal_transfers" ? plain.trace.internal_transfers : [];
  const logs = [...(plain.receipt.logs ?? []), ...(outer.log === undefined ? [] : [outer.log])];
  return {
    ...plain,
    transaction: { ...plain.transaction, from, to: outer.to, value: "0x0", input: outer.input },
    receipt: { ...plain.receipt, logs: plain.receipt.status === "0x0" ? [] : logs },
    trace: { source: "internal_transfers", provider: "explorer.example", internal_transfers: [...own, ...listed] },
  };
}

function untraced(file: CaseFile): CaseFile {
  return { ...file, trace: { source: "none", reason: "left out" } };
}

function packedCalls(calls: readonly InnerCall[]): `0x${string}` {
  const parts = calls.map(({ to, value, data }) =>
    encodePacked(["uint8", "address", "uint256", "uint256", "bytes"], [0, to, value, BigInt(size(data)), data]),
  );
  return encodeFunctionData({ abi, functionName: "multiSend", args: [concatHex(parts)] });
}

function subjectOf(plain: CaseFile): `0x${string}` {
  return plain.transaction.from as `0x${string}`;
}

function logOf(address: string, topics: unknown, data: string): RpcLog {
  return { address, topics: topics as string[], data };
}
