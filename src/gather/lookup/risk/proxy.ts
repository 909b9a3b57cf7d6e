import { type AbiFunction, concatHex, encodeAbiParameters, parseAbiItem, toFunctionSelector } from "viem";
import { type Address, readAddress, zeroAddress } from "../../../kernel/address.ts";
import { byteLength, type Hex } from "../../../kernel/hex.ts";
import type { ProxyForm } from "../../../model/label.ts";
import type { VerifyQuestion } from "../../../model/lookup-plan.ts";
import type { ProxyKind } from "../../../model/risk-lookups.ts";
import type { StateRead } from "../../network/rpc/state-reader.ts";
import { isTrueWord } from "../token-metadata.ts";

/** `next` by `via`; null: the code is here. */
export interface CodeStep {
  code: "none" | "contract" | "delegated";
  next: Address | null;
  via: ProxyKind | null;
  /** If `next` is a beacon. */
  beacon: Hex | null;
  /** EIP-2535 without a facet for the selector. */
  unresolved: boolean;
  owned: boolean;
}

/** Forms of labels/proxies.yaml. */
export type ProxyReader = ReturnType<typeof createProxyReader>;

export function createProxyReader(forms: readonly ProxyForm[]) {
  const codes = forms.flatMap(({ kind, code }) => (code === undefined ? [] : [{ kind, pattern: patternOf(code) }]));
  const slots = forms.flatMap((form) =>
    form.slot === undefined ? [] : [{ ...form, slot: form.slot, beacon: encoderOf(form.asks)?.() ?? null }],
  );
  const facetOf = encoderOf(forms.find(({ slot, asks }) => slot === undefined && asks !== undefined)?.asks);
  const owned = slots.find(({ owner }) => owner !== undefined);
  const isOwner = encoderOf(owned?.owner);

  return {
    /** `read` takes answers in this order. */
    reads({ address, selector, owner }: VerifyQuestion): StateRead[] {
      const calls = [selector && facetOf?.(selector), owner && isOwner?.(owner)];
      return [
        { kind: "code", address },
        ...slots.map(({ slot }): StateRead => ({ kind: "storage", address, slot })),
        ...calls.flatMap((data): StateRead[] => (data ? [{ kind: "call", to: address, data }] : [])),
      ];
    },

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

  /** Minimal proxies and delegated accounts. */
  function inCode(code: Hex): Partial<CodeStep> | undefined {
    for (const { kind, pattern } of codes) {
      const target = pattern.exec(code)?.[1];
      if (target !== undefined)
        return { code: kind === "eip7702" ? "delegated" : "contract", next: `0x${target}` as Address, via: kind };
    }
    return undefined;
  }

  /** First slot with an address. */
  function inSlots(code: Hex, words: readonly (Hex | null)[]): Partial<CodeStep> | undefined {
    for (const [i, form] of slots.entries()) {
      const next = addressIn(words[i] ?? null);
      if (next !== undefined && fits(form, code)) return { next, via: form.kind, beacon: form.beacon };
    }
    return undefined;
  }
}

/** EIP-2535. */
function inDiamond(address: Address, facet: Hex | null | undefined): Partial<CodeStep> {
  if (typeof facet !== "string" || byteLength(facet) !== 32) return {};
  const logic = addressIn(facet);
  if (logic === undefined) return BigInt(facet) === 0n ? { unresolved: true } : {};
  return logic === address ? {} : { next: logic, via: "diamond" };
}

/** Undefined: zero, or no address. */
export function addressIn(word: Hex | null): Address | undefined {
  if (word === null || !/^0x0{24}[0-9a-f]{40}$/.test(word)) return undefined;
  const address = readAddress(`0x${word.slice(26)}`);
  return address === zeroAddress ? undefined : address;
}

function patternOf(code: string): RegExp {
  return new RegExp(`^${code.replace("{target}", "([0-9a-f]{40})")}`);
}

function encoderOf(signature: string | undefined): ((...args: Hex[]) => Hex) | undefined {
  if (signature === undefined) return undefined;
  const item = parseAbiItem(signature) as AbiFunction;
  return (...args) => concatHex([toFunctionSelector(item), encodeAbiParameters(item.inputs, args)]);
}

function fits({ contains = "0x", shorter_than: bytes = Number.POSITIVE_INFINITY }: ProxyForm, code: Hex): boolean {
  return code.includes(contains.slice(2)) && byteLength(code) < bytes;
}
