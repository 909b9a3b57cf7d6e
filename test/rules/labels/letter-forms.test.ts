import { describe, expect, it } from "vitest";
import { createSkeletons } from "../../../src/engine/assess/tokens/skeleton.ts";
import { withLetterForms } from "../../../src/rules/labels/load.ts";
import { labels } from "../../property/world.ts";

describe("forms of letters", () => {
  it("are added to a table, also where it leads to one of them", () => {
    const table = withLetterForms({ "\uab70": "ᴅ", ᴄ: "q", x: "y" });
    expect(table).toMatchObject({ "\uab70": "d", ᴄ: "c", ᴅ: "d", "🆄": "U", "🇺": "U", x: "y" });
  });

  const { lookalikeKeys } = createSkeletons(labels.confusables);
  const meets = (one: string, other: string) => lookalikeKeys(one).some((key) => lookalikeKeys(other).includes(key));
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const spelled = (start: number) => Array.from(alphabet, (_, at) => String.fromCodePoint(start + at)).join("");

  it.each<[string, string]>([
    ["letters in circles", spelled(0x1f150)],
    ["letters in squares", spelled(0x1f170)],
    ["letters of flags", spelled(0x1f1e6)],
    ["wide letters", spelled(0xff21)],
    ["bold letters", spelled(0x1d400)],
    ["letters of a typewriter", spelled(0x1d670)],
    ["marked letters", Array.from(alphabet, (letter) => `${letter}\u0336`).join("")],
    ["invisible signs between", Array.from(alphabet).join("\u200b")],
  ])("meet the letters: %s", (_, text) => {
    expect(meets(text, alphabet)).toBe(true);
    expect(meets(text, `${alphabet}X`)).toBe(false);
  });

  it.each([
    ["ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnopqrstuvwyz"],
    ["ᗩᗷᑕᗪᖴᕼᒍᒪᗰᑎᑭᑫᖇᔕᑌᐯ", "ABCDFHJLMNPQRSUV"],
    ["ꮪꭰꮯ", "sdc"],
    ["ĐŧɍɎ", "DtrY"],
    ["UЅDС", "USDC"],
    ["€₿Ξ", "EBE"],
    ["USDↃ", "USDC"],
    ["usdɔ", "usdc"],
    ["USDƇ", "USDC"],
    ["usdƈ", "usdc"],
  ])("meet the letters: %s", (text, letters) => expect(meets(text, letters)).toBe(true));
});
