import { groupThousands } from "../../kernel/amount.ts";

/**
 * Rounded half up to `digits` significant digits: `2,043,496`, `0.168876`. Up to 12 digits before the point in full; larger ones, and those
 * below a billionth, as `6.471×10²⁰`. With fewer than six digits: `2.04M`.
 */
export function figureOf(amount: string, digits = 6): string {
  const [whole = "0", fraction = ""] = amount.split(".");
  const all = (whole + fraction).replace(/^0+/, "");
  if (all === "") return "0";
  const exponent = all.length - fraction.length - 1;
  if (exponent >= 12 || exponent < -9) {
    const { text, exponent: power } = scientific(all, exponent, Math.min(digits, 4));
    return `${text}×10${superscript(power)}`;
  }
  if (digits < 6 && exponent >= 6) {
    const unit = exponent >= 9 ? 9 : 6;
    return `${plain(roundDigits(all, digits), exponent - unit)}${unit === 9 ? "B" : "M"}`;
  }
  return plain(roundDigits(all, Math.max(digits, exponent + 1)), exponent);
}

/** Half up. `carried`: as 99 to 100. */
function roundDigits(all: string, keep: number): { digits: string; carried: boolean } {
  const kept = BigInt(all.slice(0, keep)) + (all.charCodeAt(keep) >= 53 ? 1n : 0n);
  const digits = kept.toString();
  return { digits, carried: digits.length > keep };
}

/** The first digit stands for 10^`power`. */
function plain({ digits, carried }: { digits: string; carried: boolean }, power: number): string {
  const exponent = carried ? power + 1 : power;
  if (exponent < 0) return `0.${"0".repeat(-exponent - 1)}${digits.replace(/0+$/, "")}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  const fraction = digits.slice(exponent + 1).replace(/0+$/, "");
  return `${groupThousands(whole)}${fraction === "" ? "" : `.${fraction}`}`;
}

function scientific(all: string, exponent: number, keep: number): { text: string; exponent: number } {
  const { digits, carried } = roundDigits(all, keep);
  return { text: plain({ digits, carried: false }, 0), exponent: carried ? exponent + 1 : exponent };
}

function superscript(value: number): string {
  return String(value).replace(/./g, (digit) => (digit === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹".charAt(Number(digit))));
}
