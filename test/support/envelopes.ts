import { concatHex, encodeAbiParameters, encodePacked, type Hex, size } from "viem";
import type { RpcLog } from "../../src/model/case-file.ts";
import { calldata, carol, logOf, zero } from "./case-of.ts";

/** Contracts that the shipped rules know: EntryPoint 0.7, the library of a Safe's batches, and Multicall3. */
export const entryPoint = "0x0000000071727de22e5e9d8baf0edac6f37da032";
export const multiSendAddress = "0x38869bf66a61cf6bdb996a6ae40d5853fd43b526";
export const multicall3 = "0xca11bde05977b3631167028862be2a173976ca11";
export const word = `0x${"0".repeat(64)}` as const;

/** A call inside of an envelope. */
export interface InnerCall {
  target: string;
  value: bigint;
  data: Hex;
}

/** A packed user operation. */
export const opOf = (sender: string, nonce: bigint, callData: Hex) => ({
  ...{ sender, nonce, initCode: "0x", callData, accountGasLimits: word, preVerificationGas: 0n, gasFees: word },
  ...{ paymasterAndData: "0x", signature: "0xab" },
});

/** What a bundler hands in. */
export const handleOps = (ops: readonly ReturnType<typeof opOf>[], beneficiary: string = carol) =>
  calldata(
    "function handleOps((address sender, uint256 nonce, bytes initCode, bytes callData, bytes32 accountGasLimits, uint256 preVerificationGas, bytes32 gasFees, bytes paymasterAndData, bytes signature)[] ops, address beneficiary)",
    [ops, beneficiary],
  );
/** The bundle of one account's call. */
export const userOperation = (sender: string, callData: Hex) => handleOps([opOf(sender, 1n, callData)]);

/** The event that the entry point writes about an operation. Without a paymaster, the account pays for itself. */
export const userOperationEvent = (
  sender: string,
  { at = entryPoint, success = true, nonce = 1n, paymaster = zero as string, cost = 1n } = {},
): RpcLog =>
  logOf(
    at,
    "event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)",
    { userOpHash: word, sender, paymaster, nonce, success, actualGasCost: cost, actualGasUsed: 1n },
  );

/** An account's own functions. */
export const executeBatch = (calls: readonly InnerCall[]) =>
  calldata("function executeBatch((address target, uint256 value, bytes data)[] calls)", [calls]);
export const execute = (target: string, value: bigint, data: Hex = "0x") =>
  calldata("function execute(address target, uint256 value, bytes data)", [target, value, data]);

/** Calls as ERC-7579 and ERC-7821 write a batch. */
export const encodedCalls = (calls: readonly InnerCall[]) =>
  encodeAbiParameters(
    [
      {
        type: "tuple[]",
        components: [
          { type: "address", name: "target" },
          { type: "uint256", name: "value" },
          { type: "bytes", name: "data" },
        ],
      },
    ],
    [calls as never],
  );
/** The call of ERC-7579 and ERC-7821 in which the mode says how the data must be decoded. */
export const executeByMode = (mode: Hex, data: Hex) =>
  calldata("function execute(bytes32 mode, bytes executionData)", [mode.padEnd(66, "0"), data]);

/** A Safe's call, and the event that it was done. */
export const execTransaction = (to: string, value: bigint, data: Hex = "0x", delegate = 0) =>
  calldata(
    "function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)",
    [to, value, data, delegate, 0n, 0n, 0n, zero, zero, "0xab"],
  );
export const executionSuccess = (safe: string): RpcLog =>
  logOf(safe, "event ExecutionSuccess(bytes32 txHash, uint256 payment)", { txHash: word, payment: 0n });
/** One call of a Safe's batch, and the batch. */
export const record = (to: string, value: bigint, data: Hex = "0x", delegate = 0) =>
  encodePacked(
    ["uint8", "address", "uint256", "uint256", "bytes"],
    [delegate, to as Hex, value, BigInt(size(data)), data],
  );
export const multiSend = (...records: Hex[]) =>
  calldata("function multiSend(bytes transactions)", [concatHex(records)]);
