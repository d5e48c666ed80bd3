export type NumberRange = { min: number; max: number; step: number };

/** Parses a number within the range and on its steps; undefined for other text. */
export function typedNumber(text: string, { min, max, step }: NumberRange): number | undefined {
  const plain = text.normalize('NFKC').trim();
  if (!/^[-+]?\d{1,15}(\.\d{1,6})?$/.test(plain)) return undefined;
  const value = Number(plain);
  const steps = (value - min) / step;
  const isOnStep = Math.abs(steps - Math.round(steps)) < 1e-9;
  return value >= min && value <= max && isOnStep ? value : undefined;
}

/** The number one step up (1) or down (-1), limited to the range. */
export function stepped(value: number, direction: 1 | -1, { min, max, step }: NumberRange): number {
  const next = Number((value + direction * step).toFixed(6));
  return Math.min(max, Math.max(min, next));
}
