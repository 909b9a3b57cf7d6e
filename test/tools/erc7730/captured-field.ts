import { checksum, zeroAddress } from "../../../src/kernel/address.ts";
import { usdc } from "../../support/case-of.ts";
import { fieldsOf } from "./read-intents.ts";

const metadata = {
  constants: { usdc: checksum(usdc), third: 3, half: "0.5", yes: true, word: "Everything", list: [1], odd: "<b>" },
  enums: { one: { "1": "Only One" }, two: { "1": "one", "0x2": "Two", "3": "<b>", x: "four" }, none: {} },
};

/** How the only field of a function is captured: its capture, its conditions by path, and the rest. */
export function captured(parameters: string, field: object): unknown {
  const { intent, reported } = fieldsOf(parameters, [{ label: "Info", ...field }], metadata);
  const [detail] = intent?.details ?? [];
  if (detail === undefined) return reported;
  const { capture, conditions, each, carries } = detail;
  const where = conditions.flatMap((one) => (one.where === undefined ? [] : [one.where]));
  return {
    capture,
    ...(where[0] && { where }),
    ...(each && { each }),
    ...(carries && { carries }),
    ...(reported[0] && { reported }),
  };
}

/** What is reported of parameters that say nothing. */
export const reported = ["0/params: empty"];

/** USDC, as captures name it. */
export const coin = checksum(usdc);

/** The conditions under which a value is told: the amount is above zero, the address is not zero, the element exists. */
export const some = (path: string) => ({ ">": [{ var: path }, "0"] });
export const someone = (path: string) => ({ "!=": [{ var: path }, zeroAddress] });
export const there = (path: string, literal: string) => {
  const compared = [{ var: path }, literal];
  return { or: [{ "==": compared }, { "!=": compared }] };
};
