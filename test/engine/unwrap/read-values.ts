import { parseAbiParameters } from "viem";
import { tupleOf, type Value } from "../../../src/rules/abi/abi-type.ts";
import type { UnwrapContext } from "../../../src/rules/ruleset/compiled-unwrapper.ts";
import { alice, vault } from "../../support/case-of.ts";

/** Of whom a wrapper is read: alice calls the vault. */
export const context: UnwrapContext = { caller: alice, to: vault, value: 0n, args: [], item: undefined };
/** A place in the calldata that holds this. */
export const get = (value: Value | undefined) => () => value;
/** The types of a signature. */
export const tuple = (signature: string) => tupleOf(parseAbiParameters(signature) as never);
/** A number as a word, without 0x. */
export const uint = (value: number) => value.toString(16).padStart(64, "0");
