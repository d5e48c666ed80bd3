import { type LineOf, linesOf } from '../json/place.ts';
import type { Context } from '../manifest/checks.ts';
import type { Report } from '../report.ts';
import { declaredBy, hostsIn } from './hosts.ts';
import { parseScript, type ScriptWords } from './parse-script.ts';
import { isScript } from './path.ts';
import type { PackageFile } from './read-files.ts';
import { secretsIn } from './secrets.ts';

/** Longer lines are not written by people. */
const LINE_MAX = 1000;
const HTML_EVALUATION = /(?<![.\w])(?:eval|new\s{1,4}Function)\s{0,4}\(/;

type Place = { line: number; column: number };
type Hosts = Map<string, { file: PackageFile; at: Place }>;

/**
 * Parses every script and looks for what a reviewer should see (design section 7, rules 3 and 9): hosts that are not
 * declared, text run as a program, minified code and secrets.
 */
export function reviewFiles(
  files: readonly PackageFile[],
  main: PackageFile | undefined,
  declared: readonly string[],
  context: Context,
): void {
  const hosts: Hosts = new Map();
  for (const file of files) {
    const lineOf = linesOf(file.text);
    if (file === main || isScript(file.name)) reviewScript(file, lineOf, hosts, context);
    else reviewPage(file, lineOf, hosts, context);
    for (const { kind, at, isReal } of secretsIn(file.text)) {
      context.report.inFile(file, lineOf(at), isReal ? 'SECRET_FOUND' : 'SECRET_LIKE', { kind });
    }
  }
  const isDeclared = declaredBy(declared);
  for (const [host, { file, at }] of hosts) {
    if (!isDeclared(host)) context.report.inFile(file, at, 'HOST_UNDECLARED', { host });
  }
}

function reviewScript(file: PackageFile, lineOf: LineOf, hosts: Hosts, { report }: Context): void {
  const { name } = file;
  const parsed = parseScript(file.text);
  if ('texts' in parsed) noteWords(file, parsed, lineOf, hosts, report);
  else if (parsed.reason === undefined) report.inFile(file, parsed, 'CODE_TOO_COMPLEX', { file: name });
  else report.inFile(file, parsed, 'CODE_SYNTAX', { file: name, reason: parsed.reason });
  const long = longLineIn(file.text);
  if (long !== undefined) report.inFile(file, lineOf(long), 'CODE_MINIFIED', { file: name });
}

function noteWords(
  file: PackageFile,
  { texts, evaluations }: ScriptWords,
  lineOf: LineOf,
  hosts: Hosts,
  report: Report,
): void {
  for (const { text, at } of texts) {
    for (const { host } of hostsIn(text)) if (!hosts.has(host)) hosts.set(host, { file, at: lineOf(at) });
  }
  for (const { found, at } of evaluations) report.inFile(file, lineOf(at), 'EVAL_USED', { found });
}

function reviewPage(file: PackageFile, lineOf: LineOf, hosts: Hosts, { report }: Context): void {
  for (const { host, at } of hostsIn(file.text)) {
    if (!hosts.has(host)) hosts.set(host, { file, at: lineOf(at) });
  }
  const evaluation = HTML_EVALUATION.exec(file.text);
  if (evaluation) {
    const found = `${evaluation[0].replace(/\s+/g, ' ').slice(0, -1).trim()}()`;
    report.inFile(file, lineOf(evaluation.index), 'EVAL_USED', { found });
  }
}

/** Offset of the first line that is too long to have been written by hand. */
function longLineIn(text: string): number | undefined {
  let start = 0;
  while (start < text.length) {
    const end = text.indexOf('\n', start);
    if ((end < 0 ? text.length : end) - start > LINE_MAX) return start;
    if (end < 0) return undefined;
    start = end + 1;
  }
  return undefined;
}
