import type { Finding } from '../../../shared/entities/finding.ts';

/** File, line and column as programmers write them: `main.js:12:5`; empty when none is known. */
export function sourcePlace({ file, line, column }: Finding): string {
  if (line === undefined) return file ?? '';
  const at = column === undefined ? `${line}` : `${line}:${column}`;
  return file === undefined ? at : `${file}:${at}`;
}

/** One line for the clipboard: severity, code, place and text. */
export function findingLine(finding: Finding, text: string): string {
  return [finding.severity.toUpperCase(), finding.code, finding.pointer, sourcePlace(finding), text]
    .filter((part) => part !== '')
    .join('  ');
}
