import { type Address, checksum } from "../../../kernel/address.ts";
import { groupThousands } from "../../../kernel/amount.ts";
import { limits } from "../../../kernel/limits.ts";
import type { Phrase } from "../../../model/phrase.ts";
import type { SignedField } from "../../../model/told/message-explanation.ts";
import type { Value } from "../../../rules/abi/abi-type.ts";
import { accountIn, type MessageField } from "../../../rules/typed-data/fields.ts";
import { cleanText, joinPhrases, quoted } from "../phrase.ts";
import type { MessageFindings, MessageTools } from "./message-findings.ts";

const toldMax = 4;
const nameCharsMax = 32;
const textCharsMax = 40;
type FieldTools = Pick<MessageTools, "teller" | "writer">;

const listedCharsMax = 80;

/** Name and some values. Named accounts first: harmless values must hide nobody. Texts are the asker's. */
export function tellFields(
  findings: Pick<MessageFindings, "contentsType" | "fields" | "signer" | "account" | "domain">,
  tools: FieldTools,
): { type: Phrase; fields: Phrase | null } {
  const { contentsType, fields } = findings;
  const type = quoted(contentsType ?? "", nameCharsMax) ?? { text: "", untrusted: false };
  const strangers = firstOfEach(fields, findings, tools).slice(0, toldMax);
  const others = fields.filter((one) => !strangers.includes(one)).slice(0, toldMax - strangers.length);
  const shown = fields
    .filter((one) => strangers.includes(one) || others.includes(one))
    .map((one) => tellField(one, tools));
  if (shown.length === 0) return { type, fields: null };
  const more = fields.length - shown.length;
  return {
    type,
    fields: joinPhrases(more === 0 ? shown : [...shown, tools.teller.say("message.more_fields", { count: more })]),
  };
}

/** One for each other account, unknown ones first. */
function firstOfEach(
  fields: readonly MessageField[],
  { signer, account, domain }: Pick<MessageFindings, "signer" | "account" | "domain">,
  { teller, writer }: FieldTools,
): MessageField[] {
  const seen = new Set<Address | null>([signer, account, domain.verifyingContract]);
  const found = fields.filter((field) => {
    const address = accountIn(field);
    return address !== undefined && !seen.has(address) && seen.add(address);
  });
  const isKnown = (field: MessageField) => {
    const address = accountIn(field) as Address;
    return writer.address(address) !== teller.short(address);
  };
  return [...found.filter((one) => !isKnown(one)), ...found.filter(isKnown)];
}

/** Says more than the beginning. */
function pathEnd(path: string): string {
  const parts = path.split(".");
  while (parts.length > 1 && parts.join(".").length >= nameCharsMax) parts.shift();
  return parts.join(".");
}

function tellField({ path, type, value }: MessageField, { teller }: Pick<FieldTools, "teller">): Phrase {
  const name = quoted(pathEnd(path), nameCharsMax) ?? { text: "", untrusted: false };
  return teller.say("message.field", { name, value: tellValue(type, value, teller) });
}

function tellValue(type: string, value: Value, teller: MessageTools["teller"]): Phrase {
  const nothing = { text: teller.words("message.nothing"), untrusted: false };
  if (Array.isArray(value)) return nothing;
  const address = accountIn({ type, value });
  if (address !== undefined) return { text: teller.short(address), untrusted: false };
  if (typeof value === "bigint") return { text: numberText(value, teller), untrusted: false };
  if (typeof value === "boolean") return { text: teller.words(value ? "value.yes" : "value.no"), untrusted: false };
  if (type === "string") return quoted(value, textCharsMax) ?? nothing;
  if (type === "address") return { text: teller.short(value as Address), untrusted: false };
  const text = value === "0x" ? nothing.text : value.length <= 12 ? value : `${value.slice(0, 6)}…${value.slice(-4)}`;
  return { text, untrusted: false };
}

/** Nobody reads longer numbers. */
const digitsMax = 24;

function numberText(value: bigint, teller: MessageTools["teller"]): string {
  const digits = value.toString();
  return digits.length > digitsMax
    ? teller.say("message.number", { digits: String(digits.replace("-", "").length) }).text
    : groupThousands(digits);
}

/** Text cleaned and cut, the rest exact. */
export function listSignedFields(fields: readonly MessageField[]): SignedField[] {
  return fields.slice(0, limits.signedFieldsMax).map(({ path, type, value }) => ({
    path: cut(path),
    type: cut(type),
    value: cut(plainText(type, value)),
  }));
}

function plainText(type: string, value: Value): string {
  if (Array.isArray(value)) return "[]";
  if (type === "address") return checksum(value as Address);
  return String(value);
}

function cut(text: string): string {
  return cleanText(text.slice(0, 4_096), listedCharsMax) ?? "";
}
