import { readFileSync } from 'node:fs';
import t from 'tap';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** Settings in the first column of the tables. */
function documentedSettings(page: string): string[] {
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  return rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([A-Z0-9_]+)`/g)].map(([, name = '']) => name),
  );
}

/** Names in capital letters as the first argument of a call, and names that are read from an environment directly. */
function readSettings(code: string): Set<string> {
  const names = code.matchAll(/\(\s*'([A-Z][A-Z0-9_]+)'|\benv(?:ironment)?(?:\.|\[['"])([A-Z][A-Z0-9_]+)/g);
  return new Set([...names].map(([, argument, property]) => argument ?? property ?? ''));
}

function differences(page: string, code: string) {
  const documented = documentedSettings(page);
  const names = readSettings(code);
  return {
    undocumented: [...names].filter((name) => !documented.includes(name)),
    unread: documented.filter((name) => !names.has(name)),
    repeated: documented.filter((name, index) => documented.indexOf(name) !== index),
  };
}

const NONE = { undocumented: [], unread: [], repeated: [] };

t.test('docs/configuration.md documents exactly the settings that server/config.ts reads', async (t) => {
  const [page, code] = [read('docs/configuration.md'), read('server/config.ts')];
  t.ok(readSettings(code).size > 60, 'settings are found in the code');
  t.strictSame(differences(page, code), NONE);

  const row = page.split('\n').find((line) => line.startsWith('| `WORKERS`')) ?? '';
  t.strictSame(
    differences(page.replace(row, ''), code),
    { ...NONE, undocumented: ['WORKERS'] },
    'a missing row',
  );
  t.strictSame(
    differences(`${page}\n${row.replaceAll('WORKERS', 'THREADS')}\n${row}\n`, code),
    { ...NONE, unread: ['THREADS'], repeated: ['WORKERS'] },
    'a row without a setting, and a repeated one',
  );
  for (const added of ["optional(\n 'THREADS', count)", 'environment.THREADS', "process.env['THREADS']"])
    t.strictSame(differences(page, `${code}\n${added}`), { ...NONE, undocumented: ['THREADS'] }, added);
});
