import type { Finding, Severity } from '../entities/finding.ts';
import { FINDING_CODES, type FindingCode, finding } from './finding-codes.ts';
import type { LineOf } from './json/place.ts';
import { type JsonPlace, placeOf, pointerOf } from './json/place.ts';

export type Path = readonly (string | number)[];

/** Where the package lies in the file it came from: an item of a list begins later than the file does. */
export type Origin = { line: number; column?: number; pointer: string };

type Params = Readonly<Record<string, string>>;
type FilePlace = { line?: number; column?: number; file?: string };

/** Takes what a check finds, and tells it: errors first, bounded in number. */
export type Report = {
  /** Of the value at a path of the package; of what it should be in, when it is not there. */
  value(path: Path, code: FindingCode, params?: Params): void;
  /** Of the key at a path. */
  key(path: Path, code: FindingCode, params?: Params): void;
  /** Of the package as a whole, at no line of it. */
  whole(code: FindingCode, params?: Params): void;
  /** Of an offset of the package's own text; the line of another one becomes the param `line`. */
  offset(at: number, path: Path, code: FindingCode, params?: Params, otherAt?: number): void;
  /** Of a line and column of one of the package's files. */
  inFile(
    file: { name: string; key: string },
    at: { line: number; column: number },
    code: FindingCode,
    params?: Params,
  ): void;
  findings(): Finding[];
};

const BY_WEIGHT: readonly Severity[] = ['error', 'warning', 'notice'];
const NOWHERE: JsonPlace = { at: 0 };

export function openReport(given: {
  lineOf: LineOf;
  /** Shape of the package, once it is read. */
  root?: JsonPlace | undefined;
  origin?: Origin | undefined;
  limit: number;
}): Report {
  const { lineOf, root = NOWHERE, origin, limit } = given;
  const kept: Record<Severity, Finding[]> = { error: [], warning: [], notice: [] };
  let dropped = 0;

  const add = (code: FindingCode, path: Path, where: FilePlace, params: Params = {}) => {
    const list = kept[FINDING_CODES[code].severity];
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
      const all = BY_WEIGHT.flatMap((severity) => kept[severity]);
      const more = dropped + Math.max(0, all.length - limit);
      if (more === 0) return all;
      const told = finding('TOO_MANY_FINDINGS', { pointer: origin?.pointer ?? '' }, { count: String(more) });
      return [...all.slice(0, limit), told];
    },
  };
}
