/** Quantile of measured values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const index = Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1));
  const value = sorted[index];
  if (value === undefined) throw new Error('no values were measured');
  return value;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export type Table = { title: string; head: string[]; rows: (string | number)[][] };

/** A table as Markdown. */
export function markdown({ title, head, rows }: Table): string {
  const line = (cells: (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [`## ${title}`, '', line(head), line(head.map(() => '---')), ...rows.map(line), ''].join('\n');
}
