import { type AbiFunction, concatHex, encodeAbiParameters, parseAbiItem, toFunctionSelector } from "viem";
import { type Address, readAddress, zeroAddress } from "../../../kernel/address.ts";
import { byteLength, type Hex } from "../../../kernel/hex.ts";
import type { ProxyForm } from "../../../model/label.ts";
import type { VerifyQuestion } from "../../../model/lookup-plan.ts";
import type { ProxyKind } from "../../../model/risk-lookups.ts";
import type { StateRead } from "../../network/rpc/state-reader.ts";
import { isTrueWord } from "../token-metadata.ts";

/** One step towards the code that runs. `next` is the address to read next, found by `via`; null when the code is at this address. */
export interface CodeStep {
  code: "none" | "contract" | "delegated";
  next: Address | null;
  via: ProxyKind | null;
  /** Where `next` is a beacon: the call that asks it for the implementation's address. */
  beacon: Hex | null;
  /** A diamond (EIP-2535) that does not tell the facet of the selector. */
  unresolved: boolean;
  owned: boolean;
}

/** Recognizes proxies by the forms of labels/proxies.yaml. */
export type ProxyReader = ReturnType<typeof createProxyReader>;

/** Compiles the forms of proxies to a reader. */
export function createProxyReader(forms: readonly ProxyForm[]) {
  const codes = forms.flatMap(({ kind, code }) => (code === undefined ? [] : [{ kind, pattern: patternOf(code) }]));
  const slots = forms.flatMap((form) =>
    form.slot === undefined ? [] : [{ ...form, slot: form.slot, beacon: encoderOf(form.asks)?.() ?? null }],
  );
  const facetOf = encoderOf(forms.find(({ slot, asks }) => slot === undefined && asks !== undefined)?.asks);
  const owned = slots.find(({ owner }) => owner !== undefined);
  const isOwner = encoderOf(owned?.owner);

  return {
    /** The reads for one address. `read` takes the answers in this order. */
    reads({ address, selector, owner }: VerifyQuestion): StateRead[] {
      const calls = [selector && facetOf?.(selector), owner && isOwner?.(owner)];
      return [
        { kind: "code", address },
        ...slots.map(({ slot }): StateRead => ({ kind: "storage", address, slot })),
        ...calls.flatMap((data): StateRead[] => (data ? [{ kind: "call", to: address, data }] : [])),
      ];
    },

    /** Decides what one address is, from the answers to its reads. */
    read({ address, selector, owner }: VerifyQuestion, results: readonly (Hex | null)[]): CodeStep {
      const [code = null, ...words] = results;
      const calls = words.splice(slots.length);
      const step: CodeStep = {
        ...{ code: "contract", next: null, via: null },
        ...{ beacon: null, unresolved: false, owned: false },
      };
      if (code === null || code === "0x") return { ...step, code: "none" };
      const facet = selector !== null && facetOf !== undefined ? calls.shift() : undefined;
      if (owner !== null && owned !== undefined) step.owned = fits(owned, code) && isTrueWord(calls.shift());
      return { ...step, ...(inCode(code) ?? inSlots(code, words) ?? inDiamond(address, facet)) };
    },
  };

  /** The target address that minimal proxies and delegated accounts have in their code. */
  function inCode(code: Hex): Partial<CodeStep> | undefined {
    for (const { kind, pattern } of codes) {
      const target = pattern.exec(code)?.[1];
      if (target !== undefined)
        return { code: kind === "eip7702" ? "delegated" : "contract", next: `0x${target}` as Address, via: kind };
    }
    return undefined;
  }

  /** The target in the first storage slot that holds an address. */
  function inSlots(code: Hex, words: readonly (Hex | null)[]): Partial<CodeStep> | undefined {
    for (const [i, form] of slots.entries()) {
      const next = addressIn(words[i] ?? null);
      if (next !== undefined && fits(form, code)) return { next, via: form.kind, beacon: form.beacon };
    }
    return undefined;
  }
}

/** The facet that a diamond (EIP-2535) gives for the selector. */
function inDiamond(address: Address, facet: Hex | null | undefined): Partial<CodeStep> {
  if (typeof facet !== "string" || byteLength(facet) !== 32) return {};
  const logic = addressIn(facet);
  if (logic === undefined) return BigInt(facet) === 0n ? { unresolved: true } : {};
  return logic === address ? {} : { next: logic, via: "diamond" };
}

/** The address in a 32-byte word. Undefined when it is zero, or the word is no address. */
export function addressIn(word: Hex | null): Address | undefined {
  if (word === null || !/^0x0{24}[0-9a-f]{40}$/.test(word)) return undefined;
  const address = readAddress(`0x${word.slice(26)}`);
  return address === zeroAddress ? undefined : address;
}

function patternOf(code: string): RegExp {
  return new RegExp(`^${code.replace("{target}", "([0-9a-f]{40})")}`);
}

/** A function that encodes calldata for this signature. */
function encoderOf(signature: string | undefined): ((...args: Hex[]) => Hex) | undefined {
  if (signature === undefined) return undefined;
  const item = parseAbiItem(signature) as AbiFunction;
  return (...args) => concatHex([toFunctionSelector(item), encodeAbiParameters(item.inputs, args)]);
}

/** Whether the form's slot counts for this code. */
function fits({ contains = "0x", shorter_than: bytes = Number.POSITIVE_INFINITY }: ProxyForm, code: Hex): boolean {
  return code.includes(contains.slice(2)) && byteLength(code) < bytes;
}
