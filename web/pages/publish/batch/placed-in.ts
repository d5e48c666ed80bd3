import type { Finding } from '../../../../shared/entities/finding.ts';
import type { Origin } from '../../../../shared/package/report.ts';

/** A finding on a package that was sent alone, at its place in the file that the package was read from. */
export function placedIn(found: Finding, origin: Required<Origin>): Finding {
  const pointer = `${origin.pointer}${found.pointer}`;
  if (found.line === undefined || found.file !== undefined) return { ...found, pointer };
  const isFirst = found.line === 1 && found.column !== undefined;
  return {
    ...found,
    pointer,
    line: found.line + origin.line - 1,
    ...(isFirst ? { column: (found.column ?? 1) + origin.column - 1 } : {}),
  };
}
