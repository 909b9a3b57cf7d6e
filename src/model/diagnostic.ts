/** A mistake in a rule or label file. Positions are 1-based; `end` is exclusive. */
export interface Diagnostic {
  code: string;
  level: "error" | "warning" | "note";
  file: string;
  range: Range;
  /** What is there, and what was expected. */
  message: string;
  suggest?: string;
  help?: string;
  related?: { file: string; range: Range; message: string }[];
}

export interface Range {
  start: Position;
  end: Position;
}

export interface Position {
  line: number;
  column: number;
}
