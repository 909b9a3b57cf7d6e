import { encodeAbiParameters, parseEther, toHex } from "viem";
import type { Address } from "../../../src/kernel/address.ts";
import type { Hex } from "../../../src/kernel/hex.ts";
import { at, call, who } from "./preview-world.ts";

const { alice, carol } = who;
export const far = 10n ** 11n;
export const usd = (amount: number) => BigInt(Math.round(amount * 1e6));
export const eth = (amount: string) => parseEther(amount);

export const transfer = (to: Address, value: bigint) =>
  call("function transfer(address to, uint256 value)", [to, value]);
export const approve = (spender: Address, value: bigint) =>
  call("function approve(address spender, uint256 value)", [spender, value]);

type Inner = { target: Address; value?: bigint; data?: Hex; allowFailure?: boolean };
export const multicall = (calls: Inner[]) =>
  call("function aggregate3((address target, bool allowFailure, bytes callData)[] calls) payable", [
    calls.map(({ target, data = "0x", allowFailure = false }) => ({ target, allowFailure, callData: data })),
  ]);
export const multicallValue = (calls: Inner[]) =>
  call("function aggregate3Value((address target, bool allowFailure, uint256 value, bytes callData)[] calls) payable", [
    calls.map(({ target, value = 0n, data = "0x", allowFailure = false }) => ({
      target,
      allowFailure,
      value,
      callData: data,
    })),
  ]);
const batchType = [
  {
    type: "tuple[]",
    components: [
      { name: "target", type: "address" },
      { name: "value", type: "uint256" },
      { name: "data", type: "bytes" },
    ],
  },
] as const;
const filled = (calls: Inner[]) => calls.map(({ target, value = 0n, data = "0x" as Hex }) => ({ target, value, data }));
export const batch = (calls: Inner[]) =>
  call("function execute(bytes32 mode, bytes executionData) payable", [
    `0x01${"00".repeat(31)}`,
    encodeAbiParameters(batchType, [filled(calls)]),
  ]);
export const executeBatch = (calls: Inner[]) =>
  call("function executeBatch((address target, uint256 value, bytes data)[] calls) payable", [filled(calls)]);
export const executeOne = (target: Address, value: bigint, data: Hex) =>
  call("function execute(address dest, uint256 value, bytes func)", [target, value, data]);

export const zero = `0x${"00".repeat(20)}` as Address;
export const safeExec = (to: Address, value: bigint, data: Hex, operation = 0) =>
  call(
    "function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures) payable returns (bool)",
    [to, value, data, operation, 0n, 0n, 0n, zero, zero, `0x${"11".repeat(65)}`],
  );
export const handleOps = (ops: { sender: Address; callData: Hex }[]) =>
  call(
    "function handleOps((address sender, uint256 nonce, bytes initCode, bytes callData, bytes32 accountGasLimits, uint256 preVerificationGas, bytes32 gasFees, bytes paymasterAndData, bytes signature)[] ops, address beneficiary)",
    [
      ops.map(({ sender, callData }, i) => ({
        ...{ sender, nonce: BigInt(i), initCode: "0x", callData, accountGasLimits: toHex(1n, { size: 32 }) },
        ...{ preVerificationGas: 1n, gasFees: toHex(1n, { size: 32 }), paymasterAndData: "0x", signature: "0x12" },
      })),
      carol,
    ],
  );
export const swapToEther = (amount: bigint, least = 1n) =>
  call(
    "function swapExactTokensForETH(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)",
    [...[amount, least, [at.usdc, at.weth], alice, far]],
  );
export const swapEther = (least = 1n, deadline = far) =>
  call("function swapExactETHForTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline) payable", [
    ...[least, [at.weth, at.usdc], alice, deadline],
  ]);
export const swapTokens = (amount: bigint, path: Address[], to: Address = alice) =>
  call(
    "function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)",
    [...[amount, 1n, path, to, far]],
  );
export const misc = (text: string, args: readonly unknown[] = []) => call(`function ${text}`, args);
