import { type Options, parse } from 'acorn';
import t from 'tap';
import { checkPackage } from '../../../shared/package/check-package.ts';
import { LinearParser } from '../../../shared/package/files/linear-parser.ts';
import { bundle, bytesOf, packageText, withMain } from '../../fixtures/packages/base.ts';
import { HOSTILE_PACKAGES } from '../../fixtures/packages/hostile.ts';

const SMALL = 150_000;
const GROWTH = 4;
/** Allowed growth of the work if the package grows by GROWTH: between linear and quadratic. */
const GROWTH_MAX = 9;
/** Allowed cost compared to a normal package of the same size: 2 to 6 is usual, quadratic work takes hundreds. */
const COST_MAX = 30;
/** Shorter CPU times, in milliseconds, are not compared. */
const LEAST = 25;

/** CPU time of a check in milliseconds, which does not include other processes. */
function costOf(bytes: Uint8Array): number {
  const before = process.threadCpuUsage();
  checkPackage(bytes);
  const { user, system } = process.threadCpuUsage(before);
  return Math.max(LEAST, (user + system) / 1000);
}

const honest = (bytes: number): Uint8Array =>
  bytesOf(
    packageText({ manifest: { name: 'Honest', main: 'main.js' }, files: { 'main.js': bundle(bytes) } }),
  );

const plain = honest(SMALL * GROWTH);
for (const bytes of [honest(SMALL), plain]) checkPackage(bytes);

for (const [name, make] of Object.entries(HOSTILE_PACKAGES)) {
  t.test(`the work of a check is linear in the size of the package: ${name}`, async (t) => {
    const small = make(SMALL);
    const large = make(SMALL * GROWTH);
    let least = Number.POSITIVE_INFINITY;
    let growth = Number.POSITIVE_INFINITY;
    let price = 0;
    // Garbage collection and other processes may slow one of the runs.
    for (let tries = 0; tries < 3 && (growth > GROWTH_MAX || least > price * COST_MAX); tries += 1) {
      const cost = costOf(small);
      least = Math.min(least, costOf(large));
      growth = Math.min(growth, least / cost);
      price = Math.max(price, costOf(plain));
    }
    t.ok(growth <= GROWTH_MAX, `${growth.toFixed(1)} times the work`);
    t.ok(least <= price * COST_MAX, `${(least / price).toFixed(1)} times the work of an honest one`);
  });
}

const DECLARED = [
  'var x;',
  'let x;',
  'function x(){}',
  'function* x(){}',
  'class x{}',
  '{var x;}',
  'var {y,x}=0;',
];
const PLACES: readonly ((one: string, other: string) => string)[] = [
  (one, other) => `${one}${other}`,
  (one, other) => `${one}{${other}}`,
  (one, other) => `{${one}}${other}`,
  (one, other) => `{${one}{{${other}}}}`,
  (one, other) => `{{{${one}}}${other}}`,
  (one, other) => `function f(x){${one}{${other}}}`,
  (one, other) => `function f(){{${one}}${other}}`,
  (one, other) => `var g=(y)=>{${one}{{${other}}}}`,
  (one, other) => `try{${one}}catch(x){${other}}`,
  (one, other) => `try{}catch(x){{${one}}${other}}`,
  (one, other) => `try{}catch({x}){{${one}}${other}}`,
  (one, other) => `switch(1){case 1:${one}default:{${other}}}`,
  (one, other) => `for(${one.includes('{') ? ';' : one};){${other}}`,
  (one, other) => `class C{static{${one}{${other}}}}`,
  (one, other) => `class C{y=()=>{{${one}}${other}}}`,
  (one, other) => `${one.startsWith('{') ? '' : 'export '}${one}{${other}}export{x};`,
  (one, other) => `export{x};{${one}}{${other}}`,
];
const PATTERNS = [
  '(?<a>)|(?<a>)',
  '(?<a>)(?<a>)',
  '(?:(?<a>)|b)(?<a>)',
  '(?:(?<a>)|(?<a>))|(?<a>)',
  '(?:(?<a>)|(?<b>))(?<b>)',
  '(?<a>(?<a>))',
  '(?<a>)|((?<b>)|(?<a>)(?<b>))',
  '((?<a>)|(?<b>))|((?<b>)|(?<a>))',
  '(?:(?:(?<a>))|b)(?<a>)|c',
  '(?<=(?<a>)|b)(?<a>)',
  '\\k<a>(?<a>)',
  '\\k<b>(?<a>)',
  '(?<a>)|(?<b>)(?:c|(?<b>))',
  '(?<a',
  '(?<1>)',
  '(?<a>)|',
];

function verdict(
  parser: { parse(text: string, options: Options): unknown },
  text: string,
  options: Options,
): string {
  try {
    parser.parse(text, options);
    return 'taken';
  } catch (error) {
    return error instanceof Error ? error.message : '?';
  }
}

t.test('duplicate declarations are refused like in acorn', async (t) => {
  const scripts = PLACES.flatMap((place) =>
    DECLARED.flatMap((one) => DECLARED.map((other) => place(one, other))),
  );
  const patterns = PATTERNS.flatMap((pattern) => [`/${pattern}/`, `/${pattern}/u`]);
  let refused = 0;
  for (const text of [...scripts, ...scripts.map((script) => `"use strict";${script}`), ...patterns]) {
    for (const sourceType of ['script', 'module'] as const) {
      const options: Options = { ecmaVersion: 'latest', sourceType };
      const expected = verdict({ parse }, text, options);
      if (expected !== 'taken') refused += 1;
      if (verdict(LinearParser, text, options) !== expected)
        t.equal(verdict(LinearParser, text, options), expected, text);
    }
  }
  t.ok(refused > 500 && refused < scripts.length * 4, `${refused} refused`);
});

t.test('too deep nesting is reported with its line', async (t) => {
  const blocks = (count: number): string => `\n${'{'.repeat(count)}${'}'.repeat(count)}`;
  const labels = (count: number): string =>
    `\n${Array.from({ length: count }, (_, index) => `l${index}:`).join('')};`;
  const groups = (count: number): string => `\n/${'('.repeat(count)}${')'.repeat(count)}/`;
  for (const make of [blocks, labels, groups]) {
    t.strictSame(checkPackage(bytesOf(withMain(make(200)))).findings, [], 'as deep as compilers go');
    t.hasStrict(checkPackage(bytesOf(withMain(make(400)))).findings, [
      { code: 'CODE_TOO_COMPLEX', severity: 'error', file: 'main.js', line: 2 },
    ]);
  }
});

t.test('more pages than files are refused', async (t) => {
  const ui = Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`p${index}`, 'ui.html']));
  const text = packageText({
    manifest: { name: 'Pages', main: 'main.js', ui },
    files: { 'main.js': '1', 'ui.html': '' },
  });
  t.hasStrict(checkPackage(bytesOf(text)).findings, [
    { code: 'TOO_MANY_ITEMS', pointer: '/manifest/ui', params: { limit: '32' } },
  ]);
});
