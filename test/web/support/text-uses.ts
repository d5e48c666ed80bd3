import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** `const t = useTranslations('home')`, and the gateway's own translator. */
const BINDING =
  /const (\w+) = (?:useTranslations\((?:'([\w.]+)')?\)|createTranslator\(\{[^}]*namespace: '(\w+)'[^}]*\}\))/g;
const LITERAL = /'([\w.]+)'/g;
const TEMPLATE = /`([^`]*)`/g;
/** Only a text's key, or a choice between two. */
const CLOSED = /^(?:[^?]*\?\s*)?'[\w.]+'(?:\s*:\s*'[\w.]+')?$/;
/** Words in sources: `'word'`, and `word:` in a table. */
const NAMED = /['"`]([\w.]+)['"`]|\b(\w+)\??:/g;

/** Uses of texts in the web client. */
export type TextUses = {
  /** Full keys in the source. */
  keys: Set<string>;
  /** Keys with variable parts: a pattern with one group for each. */
  patterns: RegExp[];
  /** Namespaces, each with a trailing dot, whose keys are entirely variable. */
  open: Set<string>;
  /** Every word in the sources: possible values of a variable. */
  words: Set<string>;
};

function sources(folder: string): string[] {
  return globSync(`${folder}/**/*.{ts,tsx}`, { cwd: ROOT, exclude: ['web/dist/**'] }).map((file) =>
    readFileSync(join(ROOT, file), 'utf8'),
  );
}

/** The first argument of a call whose opening bracket is just before `from`. */
function firstArgument(source: string, from: number): string {
  let depth = 0;
  for (let at = from; at < source.length; at += 1) {
    const character = source[at] ?? '';
    if (depth === 0 && (character === ',' || character === ')')) return source.slice(from, at).trim();
    if ('([{'.includes(character)) depth += 1;
    if (')]}'.includes(character)) depth -= 1;
  }
  return '';
}

function patternOf(template: string): RegExp {
  const fixed = template.split(/\$\{[^}]*\}/).map((part) => part.replaceAll('.', '\\.'));
  return new RegExp(`^${fixed.join('(\\w+)')}$`);
}

function readArgument(argument: string, namespace: string, uses: TextUses): void {
  for (const [, key = ''] of argument.matchAll(LITERAL)) uses.keys.add(namespace + key);
  const templates = [...argument.matchAll(TEMPLATE)];
  for (const [, template = ''] of templates) uses.patterns.push(patternOf(namespace + template));
  if (templates.length === 0 && !CLOSED.test(argument)) uses.open.add(namespace);
}

/** Finds the uses of texts in the web client's sources. */
export function textUses(): TextUses {
  const uses: TextUses = { keys: new Set(), patterns: [], open: new Set(), words: new Set() };
  const web = sources('web');
  for (const source of web) {
    for (const [, name = '', own, translated] of source.matchAll(BINDING)) {
      const known = own ?? translated;
      const namespace = known === undefined ? '' : `${known}.`;
      for (const call of source.matchAll(new RegExp(`\\b${name}(?:\\.(?:rich|markup))?\\(`, 'g'))) {
        readArgument(firstArgument(source, call.index + call[0].length), namespace, uses);
      }
    }
  }
  for (const source of [...web, ...sources('shared'), ...sources('packages/sandbox')]) {
    for (const [, quoted, named] of source.matchAll(NAMED)) uses.words.add(quoted ?? named ?? '');
  }
  return uses;
}

/** True when a source uses the text, or may do so through a variable. */
export function isUsed(key: string, { keys, patterns, open, words }: TextUses): boolean {
  if (keys.has(key)) return true;
  const variable = patterns.some((pattern) =>
    pattern
      .exec(key)
      ?.slice(1)
      .every((part) => words.has(part)),
  );
  return (
    variable ||
    [...open].some((namespace) => key.startsWith(namespace) && words.has(key.slice(namespace.length)))
  );
}
