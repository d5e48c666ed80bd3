import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const COMMENT = /\/\*[\s\S]*?\*\//g;
const NAME = /\.(-?[A-Za-z_][\w-]*)|@keyframes\s+([\w-]+)/g;

/** Without the letter that would make `ad`, which content blockers hide. */
const LETTERS = 'bcdefghijklmnopqrstuvwxyzBCDEFGHIJKLMNOPQRSTUVWXYZ';
const LATER = `${LETTERS}0123456789_`;

/** Short names of classes and animations, by their file and their name. */
type ClassTable = ReadonlyMap<string, ReadonlyMap<string, string>>;

/**
 * Gives the classes and animations of CSS modules names of one or two letters, which are in the document, the style and the
 * scripts of a first view many times. They follow from the sources alone, so that both builds agree on them.
 */
export function classTable(root: string): ClassTable {
  const table = new Map<string, Map<string, string>>();
  let count = 0;
  for (const file of globSync('web/**/*.module.css', { cwd: root, exclude: ['web/dist/**'] }).toSorted()) {
    const names = new Map<string, string>();
    const css = readFileSync(join(root, file), 'utf8').replace(COMMENT, '');
    for (const [, name = '', animation = name] of css.matchAll(NAME)) {
      if (names.has(animation)) continue;
      names.set(animation, shortName(count));
      count += 1;
    }
    table.set(file, names);
  }
  return table;
}

/** What asks the table, as Vite asks for the name of a class. @throws for a class that the file does not have. */
export function classNamer(root: string, table = classTable(root)): (name: string, file: string) => string {
  return (name, file) => {
    const short = table.get(relative(root, file.split('?')[0] ?? ''))?.get(name);
    if (short === undefined) throw new Error(`${file} has no class ${name}.`);
    return short;
  };
}

/** @throws when there are more names than two letters make. */
export function shortName(index: number): string {
  if (index < LETTERS.length) return LETTERS.charAt(index);
  const rest = index - LETTERS.length;
  const first = LETTERS.charAt(Math.floor(rest / LATER.length));
  if (first === '') throw new Error('There are more classes than names of two letters.');
  return first + LATER.charAt(rest % LATER.length);
}
