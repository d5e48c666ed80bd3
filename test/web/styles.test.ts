import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SHEETS = globSync('web/**/*.css', { cwd: ROOT, exclude: ['web/dist/**'] });

/** Physical properties that have a logical equivalent. */
const PHYSICAL = [
  /(?:^|[\s;{])(?:(?:scroll-)?(?:margin|padding)|border)-(?:left|right)(?:-[a-z]+)?\s*:/,
  /(?:^|[\s;{])(?:left|right)\s*:/,
  /(?:^|[\s;{])border-(?:top|bottom)-(?:left|right)-radius\s*:/,
  /(?:text-align|float|clear)\s*:\s*(?:left|right)\b/,
];
/** Four values: top, right, bottom and left. Different sides need logical properties. */
const FOUR = /(?:^|[\s;{])(?:margin|padding|inset|border-width)\s*:\s*([^;]+)/;

/** The values of a shorthand; spaces inside functions don't separate. */
function values(text: string): string[] {
  return text.trim().match(/(?:[^\s(]+(?:\((?:[^()]|\([^()]*\))*\))?)+/g) ?? [];
}

function isPhysical(line: string): boolean {
  const [, right, , left] = values(FOUR.exec(line)?.[1] ?? '');
  return PHYSICAL.some((pattern) => pattern.test(line)) || (left !== undefined && left !== right);
}

t.test('style sheets use logical properties', async (t) => {
  t.ok(SHEETS.length > 100, 'all files are read');
  const found = SHEETS.flatMap((sheet) =>
    readFileSync(`${ROOT}${sheet}`, 'utf8')
      .split('\n')
      .flatMap((line, place) => (isPhysical(line) ? [`${sheet}:${place + 1} ${line.trim()}`] : [])),
  );
  t.strictSame(found, []);
});

t.test('physical properties are found', async (t) => {
  for (const line of [
    '  margin-left: 0;',
    'right: 4px;',
    '  border-top-left-radius: 2px;',
    'text-align: right;',
    '  padding: 0 var(--a) 0 calc(1px + var(--b));',
  ])
    t.ok(isPhysical(line), line);
  for (const line of [
    '  inset-inline-end: 4px;',
    'padding: 0 1px 0 1px;',
    'margin: calc(-1 * (1px + 2px)) 0;',
  ])
    t.notOk(isPhysical(line), line);
});

/** Classes that a component uses from its CSS module, and those that exist. */
function classesOf(component: string): { sheet: string; used: string[]; has: string[] }[] {
  const source = readFileSync(`${ROOT}${component}`, 'utf8');
  return [...source.matchAll(/import (\w+) from '(\.[^']+\.module\.css)'/g)].map(([, name, path]) => {
    const sheet = posix.join(posix.dirname(component), `${path}`);
    const rules = readFileSync(`${ROOT}${sheet}`, 'utf8');
    return {
      sheet,
      used: [...source.matchAll(new RegExp(`\\b${name}\\.(?!(?:module|tsx)\\b)(\\w+)`, 'g'))].map(
        ([, used]) => `${used}`,
      ),
      has: [...rules.matchAll(/\.([a-zA-Z]\w*)/g)].map(([, has]) => `${has}`),
    };
  });
}

t.test('classes used by components exist in their CSS modules', async (t) => {
  const components = globSync('web/**/*.tsx', { cwd: ROOT, exclude: ['web/dist/**'] });
  const missing = components.flatMap((component) =>
    classesOf(component).flatMap(({ sheet, used, has }) =>
      used.filter((name) => !has.includes(name)).map((name) => `${component}: .${name} of ${sheet}`),
    ),
  );
  t.strictSame(missing, []);
});
