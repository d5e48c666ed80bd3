import type { Finding, Severity } from '../entities/finding.ts';
import { FINDING_CODES, type FindingCode, finding } from './finding-codes.ts';
import { type JsonPlace, type LineOf, placeOf, pointerOf } from './json/place.ts';

export type Path = readonly (string | number)[];

/** Position of the package in its file, which may be a list of packages. */
export type Origin = { line: number; column?: number; pointer: string };

type Params = Readonly<Record<string, string>>;
type FilePlace = { line?: number; column?: number; file?: string };

/** Collects the findings of a check, each about a place of the package. */
export type Report = {
  /** About the value at a path; if it is missing, the place is that of its parent. */
  value(path: Path, code: FindingCode, params?: Params): void;
  /** About the key at a path. */
  key(path: Path, code: FindingCode, params?: Params): void;
  /** About the whole package, without a line. */
  whole(code: FindingCode, params?: Params): void;
  /** About an offset of the package's text; the line of `otherAt` becomes the param `line`. */
  offset(at: number, path: Path, code: FindingCode, params?: Params, otherAt?: number): void;
  /** About a line and column of one of the package's files. */
  inFile(
    file: { name: string; key: string },
    at: { line: number; column: number },
    code: FindingCode,
    params?: Params,
  ): void;
  /** All findings up to the limit, errors first; one more counts the rest. */
  findings(): Finding[];
};

const BY_SEVERITY: readonly Severity[] = ['error', 'warning', 'notice'];
const NOWHERE: JsonPlace = { at: 0 };

export function openReport(options: {
  lineOf: LineOf;
  /** Positions of the values, if the package could be parsed. */
  root?: JsonPlace | undefined;
  origin?: Origin | undefined;
  limit: number;
}): Report {
  const { lineOf, root = NOWHERE, origin, limit } = options;
  const found: Record<Severity, Finding[]> = { error: [], warning: [], notice: [] };
  let dropped = 0;

  const add = (code: FindingCode, path: Path, where: FilePlace, params: Params = {}) => {
    const list = found[FINDING_CODES[code].severity];
    if (list.length >= limit) dropped += 1;
    else
      list.push(finding(code, { ...where, pointer: `${origin?.pointer ?? ''}${pointerOf(path)}` }, params));
  };
  const inOrigin = (at: number) => {
    const { line, column } = lineOf(at);
    const isFirst = line === 1;
    return {
      line: line + (origin ? origin.line - 1 : 0),
      column: column + (isFirst ? (origin?.column ?? 1) - 1 : 0),
    };
  };
  return {
    value: (path, code, params) => add(code, path, inOrigin(placeOf(root, path).at), params),
    key: (path, code, params) => {
      const place = placeOf(root, path);
      add(code, path, inOrigin(place.keyAt ?? place.at), params);
    },
    whole: (code, params) => add(code, [], {}, params),
    offset: (at, path, code, params, otherAt) => {
      const other = otherAt === undefined ? {} : { line: String(inOrigin(otherAt).line) };
      add(code, path, inOrigin(at), { ...params, ...other });
    },
    inFile: ({ name, key }, { line, column }, code, params) =>
      add(code, ['files', key], { line, column, file: name }, params),
    findings: () => {
      const all = BY_SEVERITY.flatMap((severity) => found[severity]);
      const more = dropped + Math.max(0, all.length - limit);
      if (more === 0) return all;
      const rest = finding('TOO_MANY_FINDINGS', { pointer: origin?.pointer ?? '' }, { count: String(more) });
      return [...all.slice(0, limit), rest];
    },
  };
}
