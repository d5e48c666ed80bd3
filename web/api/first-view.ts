/** Sections of the document that do not work yet. */
const asleep = new Set<object>();
let whole = Promise.resolve();
let settle = (): void => undefined;

/**
 * From here on answers wait until the last section of the document has come to life: one that was rendered from newer
 * answers than the server had would be made anew, under the visitor's hands.
 */
export function holdAnswers(): void {
  whole = new Promise((resolve) => {
    settle = resolve;
  });
}

/** Resolves once what the document shows works everywhere, at once if it does. */
export function wholeFirstView(): Promise<void> {
  return whole;
}

/** Tells of a section that comes to life by itself. */
export function awaitSection(section: object): void {
  asleep.add(section);
}

/** Tells that a section, or what surrounds them all, has come to life or is gone. */
export function endSection(section?: object): void {
  if (section) asleep.delete(section);
  if (asleep.size === 0) settle();
}
