import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const COMMENT = /\/\*[\s\S]*?\*\//g;
const NAME = /\.(-?[A-Za-z_][\w-]*)|@keyframes\s+([\w-]+)/g;

/** Without the letter that would make `ad`, which content blockers hide. */
const LETTERS = 'bcdefghijklmnopqrstuvwxyzBCDEFGHIJKLMNOPQRSTUVWXYZ';
const LATER = `${LETTERS}0123456789_`;

/**
 * Gives the classes and animations of CSS modules names of one or two letters, which are in the document, the style and the
 * scripts of a first view many times. They follow from the sources alone, so that both builds agree on them.
 */
export function classNamer(root: string): (name: string, file: string) => string {
  const names = new Map<string, string>();
  for (const file of globSync('web/**/*.module.css', { cwd: root, exclude: ['web/dist/**'] }).toSorted()) {
    const css = readFileSync(join(root, file), 'utf8').replace(COMMENT, '');
    for (const [, name = '', animation] of css.matchAll(NAME)) {
      const key = keyOf(file, animation ?? name);
      if (!names.has(key)) names.set(key, shortName(names.size));
    }
  }
  return (name, file) => {
    const short = names.get(keyOf(relative(root, file.split('?')[0] ?? ''), name));
    if (short === undefined) throw new Error(`${file} has no class ${name}.`);
    return short;
  };
}

function keyOf(file: string, name: string): string {
  return `${file} ${name}`;
}

/** @throws when there are more names than two letters make. */
export function shortName(index: number): string {
  if (index < LETTERS.length) return LETTERS.charAt(index);
  const rest = index - LETTERS.length;
  const first = LETTERS.charAt(Math.floor(rest / LATER.length));
  if (first === '') throw new Error('There are more classes than names of two letters.');
  return first + LATER.charAt(rest % LATER.length);
}
