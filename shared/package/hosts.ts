import Range from 'semver/classes/range.js';
import parse from 'semver/functions/parse.js';

/** Versions of one design tool (`host`) that a plugin works in, as the package says it; `*` for every version. */
export type HostRange = { host: string; range: string };

/** Ids of design tools, in packages and settings. */
export const HOST_ID = /^[a-z][a-z0-9-]{0,39}$/;
/** Longer ranges are refused. */
export const HOST_RANGE_MAX = 100;

/** A beta of 4.3 is later than 4.2, which is what ">=4.2" means for a tool. */
const OPTIONS = { includePrerelease: true };

/** @returns undefined for what semver does not read as a range */
function rangeOf(text: string): Range | undefined {
  if (text.trim() === '' || text.length > HOST_RANGE_MAX) return undefined;
  try {
    return new Range(text, OPTIONS);
  } catch {
    return undefined;
  }
}

export function isHostRange(text: string): boolean {
  return rangeOf(text) !== undefined;
}

/**
 * Reads the tools that a package works in, sorted: those of `engines`, and of `editorType` in every version; empty for all
 * tools. Only `engines` excludes a tool: `editorType` was written before anybody could ask with a version.
 */
export function hostRangesOf({
  engines,
  editorType,
}: {
  engines?: unknown;
  editorType?: unknown;
}): HostRange[] {
  const named: [string, unknown][] =
    typeof engines === 'object' && engines !== null ? Object.entries(engines) : [];
  const ranges = named.flatMap(([host, range]) =>
    HOST_ID.test(host) && typeof range === 'string' && isHostRange(range)
      ? [{ host, range: range.trim().replace(/\s+/g, ' ') }]
      : [],
  );
  if (ranges.length === 0) return [];
  const other = (Array.isArray(editorType) ? editorType : []).flatMap((host) =>
    typeof host === 'string' && HOST_ID.test(host) ? [host] : [],
  );
  return [
    ...ranges,
    ...[...new Set(other)]
      .filter((id) => ranges.every(({ host }) => host !== id))
      .map((host) => ({ host, range: '*' })),
  ].toSorted((one, two) => (one.host < two.host ? -1 : 1));
}

/** As one text, which is stored and signed: `pixso >=4.2; whiteboard *`. @returns null for all tools */
export function writeHostRanges(ranges: readonly HostRange[]): string | null {
  return ranges.length === 0 ? null : ranges.map(({ host, range }) => `${host} ${range}`).join('; ');
}

/** The opposite of `writeHostRanges`. */
export function readHostRanges(text: string | null): HostRange[] {
  if (text === null) return [];
  return text.split('; ').map((one) => {
    const end = one.indexOf(' ');
    return { host: one.slice(0, end), range: one.slice(end + 1) };
  });
}

/** A design tool in the version that somebody uses. */
export type Host = { name: string; version: string };

const HOST =
  /^([a-z][a-z0-9-]{0,39})\/(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?(?:\.\d{1,9})?((?:-[0-9A-Za-z.-]{1,40})?)$/;
/** The same for a JSON Schema. */
export const HOST_PATTERN = HOST.source;

/** Reads `pixso/4.2.1`; missing parts are 0, and a fourth one, of a build, is left out. @returns undefined for another form */
export function readHost(text: string): Host | undefined {
  const [, name, major, minor = '0', patch = '0', tail = ''] = HOST.exec(text) ?? [];
  const version = parse(`${major}.${minor}.${patch}${tail}`, { loose: true })?.version;
  return name === undefined || version === undefined ? undefined : { name, version };
}

/** Whether a version with these ranges works in a tool. */
export function worksIn(ranges: readonly HostRange[], { name, version }: Host): boolean {
  if (ranges.length === 0) return true;
  return ranges.some(({ host, range }) => host === name && rangeOf(range)?.test(version) === true);
}

/** Where a range begins and ends, if it has no gaps: `from` is included, `before` is not. */
type Span = { from: string | null; before: string | null };

/** @returns null for a range that is not one span, such as `1.2.3`, `<=4` or `^3 || ^5` */
export function spanOf(range: string): Span | null {
  const [comparators, ...others] = rangeOf(range)?.set ?? [];
  if (!comparators || others.length > 0) return null;
  const span: Span = { from: null, before: null };
  for (const { operator, semver } of comparators) {
    if (operator === '>=') span.from = shortened(semver);
    else if (operator === '<') span.before = shortened(semver);
    else if (semver.version !== undefined) return null;
  }
  return span.from === '0.0' ? { ...span, from: null } : span;
}

export type HostSpan = HostRange & { span: Span | null };

/** The same ranges for pages, which have no semver. */
export function withSpans(ranges: readonly HostRange[]): HostSpan[] {
  return ranges.map((one) => ({ ...one, span: spanOf(one.range) }));
}

/** `4.2` for 4.2.0. The first prerelease is where a range with prereleases begins. */
function shortened({ major, minor, patch, prerelease }: Range['set'][number][number]['semver']): string {
  const tail = prerelease.join('.');
  const isPlain = tail === '' || tail === '0';
  return patch === 0 && isPlain
    ? `${major}.${minor}`
    : `${major}.${minor}.${patch}${isPlain ? '' : `-${tail}`}`;
}
