import type { BlockCalendar } from "../../kernel/block-calendar.ts";
import type { Labels } from "../../model/label.ts";
import { ConfigError } from "../settings/config.ts";

/** When the chain makes its blocks: payments are searched by it. Throws ConfigError where no label file says it. */
export function blockTimesOf({ calendar: { blocks } }: Pick<Labels, "calendar">): BlockCalendar {
  if (blocks !== null) return blocks;
  throw new ConfigError([
    "LABELS_DIR: no file says when blocks are made (`block_times`), and payments are searched by it.",
  ]);
}
