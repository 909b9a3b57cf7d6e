import { folderFor, unsorted } from "../../lint/scaffold/guess.ts";
import type { Scaffold } from "../../lint/scaffold/scaffold.ts";
import { shownPath } from "../../lint/sources.ts";

export function toldSteps(
  path: string,
  given: Scaffold & { protocol: string; recorded: readonly string[]; steps?: readonly string[] | undefined },
): string {
  const { protocol, text, action, anchor, recorded } = given;
  const marks = text.split("\n").filter((line) => line.includes("# draft:")).length;
  const file = shownPath(path);
  const homeless = folderFor(action) === unsorted && file.includes(`/${unsorted}/`);
  return [
    ...recorded.map((one) => `recorded ${shownPath(one)}`),
    `drafted ${file}: ${anchor} is ${action}`,
    ...(homeless
      ? [`rules/${unsorted} is no family: move the file to the folder where a reader would look for it`]
      : []),
    "",
    `Next: look at each of the ${marks} lines marked "# draft:" and delete it, then`,
    ...(given.steps ?? checkoutSteps(file, protocol)).map((step) => `  ${step}`),
    "",
  ].join("\n");
}

function checkoutSteps(file: string, protocol: string): string[] {
  return [
    `npm run -s rule-lint -- ${file}`,
    `npm run -s rule-lint -- --mutate ${file}`,
    `npm run -s rule-lint -- order --of ${protocol}`,
    "npm run -s rules:order",
    "npm run golden",
    "npm run golden -- --write",
    "npm test",
  ];
}
