import { describe, expect, it } from "vitest";
import { decideMessage } from "../../../src/engine/messages/decide-message.ts";
import { checksum, shorten, toAddress } from "../../../src/kernel/address.ts";
import { importDescriptors } from "../../../src/tools/erc7730/import.ts";
import { members } from "../../rules/typed-data/sample.ts";
import { alice, bob, usdc } from "../../support/case-of.ts";
import { shippedLabels } from "../../support/labels.ts";
import { compileOwn } from "../../support/own-rules.ts";
import { noRules, vault, writeFolder } from "./descriptor-folder.ts";
import { lintBeside } from "./lint-beside.ts";

const formats = {
  "Lend(address token,uint256 amount,uint64 until,Part[] parts)Part(address to,uint256 share)": {
    intent: "Lend tokens",
    fields: [
      { path: "until", label: "Until", format: "date", params: { encoding: "timestamp" } },
      { path: "amount", label: "Amount", format: "tokenAmount", params: { tokenPath: "token" } },
      { path: "parts.[].to", label: "For", format: "addressName" },
      { path: "@.to", label: "Checked by", format: "addressName" },
    ],
  },
  "Move(address to,uint256 value,bytes data)": {
    intent: "Move",
    interpolatedIntent: "Move {value} to {to}",
    fields: [
      { path: "to", label: "To", format: "addressName" },
      { path: "value", label: "Value", format: "amount" },
      { path: "data", label: "Call", format: "calldata", params: { calleePath: "to", spenderPath: "@.to" } },
    ],
  },
};

const descriptor = {
  context: { eip712: { domain: { name: "Vault" }, deployments: [{ chainId: 8453, address: vault }] } },
  metadata: { owner: "Acme", contractName: "Vault" },
  display: { formats },
};

const made = importDescriptors(writeFolder({ "eip712-vault.json": descriptor }), noRules);

/** What alice is told of a message, and the flags. */
function ask(
  primaryType: string,
  message: object,
  verifyingContract = vault,
  { files } = made,
): { summary: string; flags: string[] } {
  const types = {
    Lend: members("address token, uint256 amount, uint64 until, Part[] parts"),
    Part: members("address to, uint256 share"),
    Move: members("address to, uint256 value, bytes data"),
  };
  const own = primaryType === "Lend" ? { Lend: types.Lend, Part: types.Part } : { Move: types.Move };
  const typed_data = { types: own, primaryType, domain: { name: "Vault", chainId: 8453, verifyingContract }, message };
  const rules = compileOwn(...files.map(({ text }) => text));
  const { explanation } = decideMessage({ from: alice, typed_data }, rules, shippedLabels());
  return { summary: explanation.summary, flags: explanation.risk_flags.map(({ flag }) => flag) };
}

const lend = { token: checksum(usdc), amount: "5000000", until: "1700000000", parts: [{ to: bob, share: "0" }] };

describe("an EIP-712 descriptor", () => {
  it("becomes rules about messages that lint clean beside all rules", () => {
    expect(made.findings).toEqual([]);
    expect(made.files.map(({ slug }) => slug)).toEqual(["erc7730-vault"]);
    expect(lintBeside(made)).toEqual([]);
  }, 60_000);

  it("tells the fields by weight", () => {
    const at = shorten(toAddress(vault));
    expect(ask("Lend", lend).summary).toContain(
      `is asked to sign for ${at} to lend tokens, with amount 5 USDC, for ${shorten(bob)}, checked by ${at} and until 2023-11-14 22:13:20Z.`,
    );
  });

  it("tells the interpolated intent, and the plain one where a value is nothing", () => {
    expect(ask("Move", { to: bob, value: "1000000000000000000", data: "0x" }).summary).toContain(
      `to move 1 ETH to ${shorten(bob)}, with call 0x`,
    );
    expect(ask("Move", { to: bob, value: "0", data: "0x" }).summary).toContain(
      `to move, with value 0 ETH, to ${shorten(bob)} and call 0x`,
    );
  });

  it("tells a title that begins with no verb as a title", () => {
    const titled = (intent: string, more: object = {}) => {
      const own = {
        "Move(address to,uint256 value,bytes data)": {
          ...formats["Move(address to,uint256 value,bytes data)"],
          ...more,
          intent,
        },
      };
      const folder = writeFolder({ "eip712-vault.json": { ...descriptor, display: { formats: own } } });
      return ask("Move", { to: bob, value: "0", data: "0x" }, vault, importDescriptors(folder, noRules)).summary;
    };
    const at = shorten(toAddress(vault));
    const fields = `, with value 0 ETH, to ${shorten(bob)} and call 0x`;
    const none = { interpolatedIntent: undefined };
    expect(titled("DAO Token", none)).toContain(`is asked to sign the message "DAO Token" for ${at}${fields}`);
    expect(titled("Delegate DAO Token", none)).toContain(`is asked to sign for ${at} to delegate DAO token${fields}`);
    expect(titled("Wrap/Unwrap", none)).toContain(`is asked to sign for ${at} to wrap/unwrap${fields}`);
    expect(titled("DAO Token")).toContain(`"DAO Token" for ${at}${fields}`);
  });

  it("says that no rule of the project knows what a signature allows", () => {
    expect(ask("Lend", lend).flags).toContain("unknown_message");
  });

  it("says nothing for another contract", () => {
    expect(ask("Lend", lend, bob).summary).not.toContain("lend tokens");
  });
});
