/** A fault that somebody could make, planted to see that tests catch it. */
export type Fault = {
  /** File to plant it in, below the root of the checkout. */
  file: string;
  /** Text that stands there once, and what stands there instead. */
  text: string;
  replacement: string;
  /** Test files of which one at least must fail. */
  tests: readonly string[];
  /** What would happen to whom. */
  why: string;
};

/** The content of a file with the fault. @throws Error where its text does not stand there exactly once */
export function planted(content: string, { file, text, replacement }: Fault): string {
  const [before, after, ...more] = content.split(text);
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`${file} does not hold this text exactly once: ${text}`);
  return before + replacement + after;
}
