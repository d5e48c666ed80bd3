import type { JsonValue } from '../package.ts';
import type { Path, Report } from '../report.ts';
import { secretsIn } from './secrets.ts';

/** Looks for secrets in the texts of a package that are no files. */
export function reviewTexts(value: JsonValue, report: Report, path: Path = []): void {
  if (typeof value === 'string') {
    for (const { kind, isReal } of secretsIn(value)) {
      report.value(path, isReal ? 'SECRET_FOUND' : 'SECRET_LIKE', { kind });
    }
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) reviewTexts(item, report, [...path, index]);
  } else if (value !== null && typeof value === 'object') {
    for (const [key, member] of Object.entries(value)) reviewTexts(member, report, [...path, key]);
  }
}
