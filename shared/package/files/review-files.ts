import { type Options, parse, type Token, tokTypes } from 'acorn';
import { declaredBy, hostsIn } from '../domains.ts';
import { type LineOf, linesOf } from '../json/place.ts';
import type { Context } from '../manifest/checks.ts';
import type { Report } from '../report.ts';
import { isScript, type PackageFile } from './package-files.ts';
import { secretsIn } from './secrets.ts';

/** Longer lines are a sign of minified code. */
const LINE_MAX = 1000;
const HTML_EVALUATION = /(?<![.\w])(?:eval|new\s{1,4}Function)\s{0,4}\(/;

type Place = { line: number; column: number };
type Hosts = Map<string, { file: PackageFile; at: Place }>;

/** Parses every script and reports undeclared hosts, `eval`, minified code and secrets (R 6.6, R 6.12). */
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
    reportInvisible(file, lineOf, context.report);
    for (const { kind, at, isReal } of secretsIn(file.text)) {
      context.report.inFile(file, lineOf(at), isReal ? 'SECRET_FOUND' : 'SECRET_LIKE', { kind });
    }
  }
  const isDeclared = declaredBy(declared);
  for (const [host, { file, at }] of hosts) {
    if (!isDeclared(host)) context.report.inFile(file, at, 'HOST_UNDECLARED', { host });
  }
}

function reviewScript(file: PackageFile, lineOf: LineOf, hosts: Hosts, { report, onScript }: Context): void {
  const { name } = file;
  onScript?.(name);
  const parsed = parseScript(file.text);
  if ('strings' in parsed) reportTokens(file, parsed, lineOf, hosts, report);
  else if (parsed.reason === undefined) report.inFile(file, parsed, 'CODE_TOO_COMPLEX', { file: name });
  else report.inFile(file, parsed, 'CODE_SYNTAX', { file: name, reason: parsed.reason });
  const long = longLineIn(file.text);
  if (long !== undefined) report.inFile(file, lineOf(long), 'CODE_MINIFIED', { file: name });
}

function reportTokens(
  file: PackageFile,
  { strings, evaluations }: ScriptTokens,
  lineOf: LineOf,
  hosts: Hosts,
  report: Report,
): void {
  for (const { text, at } of strings) {
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

/**
 * Characters that are not shown: tags, variation selectors, fillers, characters without width, and those that change the
 * direction of text (CVE-2021-42574). U+2800 is an empty pattern of dots.
 */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}|\u2800/gu;
/** What they are used for in readable text: the style of an emoji, keycaps, joined emoji and joined letters. */
const USUAL = new Map([
  ['\ufe0e', /\p{Extended_Pictographic}$/u],
  ['\ufe0f', /(?:\p{Extended_Pictographic}|[0-9#*])$/u],
  ['\u200c', /\p{L}$/u],
  ['\u200d', /[^\0-\x7f]$/u],
]);
/** UTF-16 units before a character that decide whether it is usual. */
const CONTEXT = 4;

/** Reports the first invisible character that could hide something; a byte order mark at the beginning is none. */
function reportInvisible(file: PackageFile, lineOf: LineOf, report: Report): void {
  for (const { 0: found, index } of file.text.matchAll(INVISIBLE)) {
    const before = file.text.slice(Math.max(0, index - CONTEXT), index);
    if ((found === '\ufeff' && index === 0) || isUsual(found, before, file.text[index + 1])) continue;
    const code = `U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
    report.inFile(file, lineOf(index), 'CODE_INVISIBLE', { file: file.name, found: code });
    return;
  }
}

function isUsual(found: string, before: string, after: string | undefined): boolean {
  if (!USUAL.get(found)?.test(before)) return false;
  const isAscii = /[\0-\x7f]$/.test(before);
  return !isAscii || (found === '\ufe0f' && after === '\u20e3');
}

/** Offset of the first line that is too long for code written by hand. */
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

/** A syntax error and its place; `reason` is missing if the script is nested too deeply. */
type ScriptError = { line: number; column: number; reason?: string };

/** String tokens that contain "//", and calls that run a string as code, with their offsets. */
type ScriptTokens = {
  strings: { text: string; at: number }[];
  evaluations: { found: string; at: number }[];
};

/** Functions that run a string as code. */
const EVALUATORS: ReadonlySet<string> = new Set(['eval', 'Function']);
/** Functions that run their argument as code if it is a string. */
const TIMERS: ReadonlySet<string> = new Set(['setTimeout', 'setInterval', 'execScript']);
/** Evaluations reported per script. */
const EVALUATIONS_MAX = 20;

/**
 * Parses a text as a script, or else as a module, without running it. If both fail, the error at the later place is
 * returned.
 */
function parseScript(text: string): ScriptTokens | ScriptError {
  const asScript = tryParse(text, 'script');
  if ('strings' in asScript) return asScript;
  const asModule = tryParse(text, 'module');
  if ('strings' in asModule) return asModule;
  const isModuleFurther =
    asModule.line > asScript.line || (asModule.line === asScript.line && asModule.column > asScript.column);
  return isModuleFurther ? asModule : asScript;
}

function tryParse(text: string, sourceType: 'script' | 'module'): ScriptTokens | ScriptError {
  const tokens: ScriptTokens = { strings: [], evaluations: [] };
  const options: Options = {
    ecmaVersion: 'latest',
    sourceType,
    allowHashBang: true,
    onToken: tokenListener(tokens),
  };
  try {
    parse(text, options);
    return tokens;
  } catch (error) {
    if (error instanceof SyntaxError && 'loc' in error)
      return scriptError({ message: error.message, loc: error.loc });
    if (error instanceof RangeError) return { line: 1, column: 1 };
    throw error;
  }
}

/** acorn counts columns from 0 and repeats the place in its message. */
function scriptError({ message, loc }: { message: string; loc: unknown }): ScriptError {
  const at = typeof loc === 'object' && loc !== null && 'line' in loc && 'column' in loc ? loc : undefined;
  const place = { line: Number(at?.line ?? 1), column: Number(at?.column ?? 0) + 1 };
  const reason = message.replace(/ \(\d+:\d+\)$/, '');
  return reason.startsWith('Not enough stack space') ? place : { ...place, reason };
}

function tokenListener({ strings, evaluations }: ScriptTokens): (token: Token) => void {
  let before: Token | undefined;
  let last: Token | undefined;
  return (token) => {
    const text = isText(token) ? stringOf(token) : '';
    if (text.includes('//')) strings.push({ text, at: token.start });
    const found = evaluationIn(before, last, token);
    if (found && evaluations.length < EVALUATIONS_MAX) evaluations.push(found);
    before = last;
    last = token;
  };
}

function evaluationIn(before: Token | undefined, last: Token | undefined, token: Token) {
  if (last === undefined) return undefined;
  if (token.type === tokTypes.parenL && last.type === tokTypes.name && before?.type !== tokTypes.dot) {
    const name = stringOf(last);
    return EVALUATORS.has(name) ? { found: `${name}()`, at: last.start } : undefined;
  }
  if (last.type !== tokTypes.parenL || !isText(token) || before === undefined) return undefined;
  const timer = stringOf(before);
  return TIMERS.has(timer) ? { found: `${timer}("…")`, at: before.start } : undefined;
}

function stringOf(token: Token): string {
  return 'value' in token && typeof token.value === 'string' ? token.value : '';
}

function isText(token: Token): boolean {
  return token.type === tokTypes.string || token.type === tokTypes.template;
}
