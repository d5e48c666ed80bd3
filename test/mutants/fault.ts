/** A fault in the code that at least one test must detect. */
export type Fault = {
  /** File of the fault, relative to the root. */
  file: string;
  /** Text that occurs once in the file, and its replacement. */
  text: string;
  replacement: string;
  /** Test files, at least one of which must fail. */
  tests: readonly string[];
  /** Consequence of the fault. */
  why: string;
};

/** The content of a file with the fault. @throws Error if its text does not occur exactly once */
export function planted(content: string, { file, text, replacement }: Fault): string {
  const [before, after, ...more] = content.split(text);
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`${file} does not hold this text exactly once: ${text}`);
  return before + replacement + after;
}
