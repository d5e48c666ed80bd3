import { type Options, type Token, tokTypes } from 'acorn';
import { isTooComplex, LinearParser } from './linear-parser.ts';

/** Why a text is no JavaScript, and where; `reason` is missing when it is nested too deeply to tell. */
export type ScriptFault = { line: number; column: number; reason?: string };

/** What a script's own words say: texts with an address in them, and calls that run text as a program; by their offset. */
export type ScriptWords = {
  texts: { text: string; at: number }[];
  evaluations: { found: string; at: number }[];
};

/** Names whose call runs a text as a program. */
const EVALUATORS: ReadonlySet<string> = new Set(['eval', 'Function']);
/** Names whose call does so when they are given a text. */
const TIMERS: ReadonlySet<string> = new Set(['setTimeout', 'setInterval', 'execScript']);
/** Evaluations told of one script. */
const EVALUATIONS_MAX = 20;

/**
 * Parses a script, else a module, of the newest JavaScript; nothing of it is ever run. Of two faults the one that is
 * further on is told.
 */
export function parseScript(text: string): ScriptWords | ScriptFault {
  const asScript = tryParse(text, 'script');
  if ('texts' in asScript) return asScript;
  const asModule = tryParse(text, 'module');
  if ('texts' in asModule) return asModule;
  const isModuleFurther =
    asModule.line > asScript.line || (asModule.line === asScript.line && asModule.column > asScript.column);
  return isModuleFurther ? asModule : asScript;
}

function tryParse(text: string, sourceType: 'script' | 'module'): ScriptWords | ScriptFault {
  const words: ScriptWords = { texts: [], evaluations: [] };
  const options: Options = {
    ecmaVersion: 'latest',
    sourceType,
    allowHashBang: true,
    onToken: listener(words),
  };
  try {
    LinearParser.parse(text, options);
    return words;
  } catch (error) {
    if (error instanceof SyntaxError && 'loc' in error)
      return faultOf({ message: error.message, loc: error.loc });
    if (isTooComplex(error)) return { line: error.loc.line, column: error.loc.column + 1 };
    if (error instanceof RangeError) return { line: 1, column: 1 };
    throw error;
  }
}

/** The parser counts columns from 0 and repeats the place in its message. */
function faultOf({ message, loc }: { message: string; loc: unknown }): ScriptFault {
  const at = typeof loc === 'object' && loc !== null && 'line' in loc && 'column' in loc ? loc : undefined;
  const place = { line: Number(at?.line ?? 1), column: Number(at?.column ?? 0) + 1 };
  const reason = message.replace(/ \(\d+:\d+\)$/, '');
  return reason.startsWith('Not enough stack space') ? place : { ...place, reason };
}

function listener({ texts, evaluations }: ScriptWords): (token: Token) => void {
  let before: Token | undefined;
  let last: Token | undefined;
  return (token) => {
    const text = isText(token) ? stringOf(token) : '';
    if (text.includes('//')) texts.push({ text, at: token.start });
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
