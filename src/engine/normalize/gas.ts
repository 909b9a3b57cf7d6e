import { readHex, readQuantity } from "../../kernel/hex.ts";
import type { CaseFile } from "../../model/case-file.ts";

/** OP Stack, Isthmus; multiplier since Jovian. */
const operatorScalarBase = 1_000_000n;
const jovianMultiplier = 100n;

/**
 * Wei: execution, L1 data and operator fee (OP Stack exec-engine specification); null when a part is missing. Deposits pay nothing on L2.
 * Jovian (`daFootprintGasScalar`): operator fee = gasUsed × scalar × 100 + constant.
 */
export function feeOf(file: CaseFile): bigint | null {
  const { transaction, receipt } = file;
  if (readQuantity(transaction.type) === 0x7en) return 0n;
  const gasUsed = readQuantity(receipt.gasUsed);
  const price =
    readQuantity(receipt.effectiveGasPrice) ??
    (isLegacy(transaction.type) ? readQuantity(transaction.gasPrice) : undefined);
  const l1Fee = readQuantity(receipt.l1Fee);
  if (gasUsed === undefined || price === undefined || l1Fee === undefined) return null;
  const scalar = readQuantity(receipt.operatorFeeScalar) ?? 0n;
  const constant = readQuantity(receipt.operatorFeeConstant) ?? 0n;
  const scaled =
    receipt.daFootprintGasScalar === undefined
      ? (gasUsed * scalar) / operatorScalarBase
      : gasUsed * scalar * jovianMultiplier;
  return gasUsed * price + l1Fee + scaled + constant;
}

/** Exactly the cost before code runs (EIP-2028), so no ether moved inside. At the floor of EIP-7623 code may have run: false. */
export function ranNoCode(file: CaseFile): boolean {
  if (file.transaction.to === null || file.receipt.logs.length > 0) return false;
  const used = readQuantity(file.receipt.gasUsed);
  const input = readHex(file.transaction.input ?? "0x");
  if (used === undefined || input === undefined) return false;
  let intrinsic = 21_000;
  for (let at = 2; at < input.length; at += 2) intrinsic += input.startsWith("00", at) ? 4 : 16;
  return used === BigInt(intrinsic);
}

function isLegacy(type: string | undefined): boolean {
  const value = type === undefined ? 0n : readQuantity(type);
  return value === 0n || value === 1n;
}
