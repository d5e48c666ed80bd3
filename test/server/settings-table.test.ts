import { readFileSync } from 'node:fs';
import t from 'tap';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** Names in the first cell of the rows of the tables. */
function documented(page: string): string[] {
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  return rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([A-Z0-9_]+)`/g)].map(([, name = '']) => name),
  );
}

t.test('the tables of docs/configuration.md name every setting that is read, and no other', async (t) => {
  const inTables = documented(read('docs/configuration.md'));
  const inCode = [...read('server/config.ts').matchAll(/(?:setting|optional)\(\s*'([A-Z0-9_]+)'/g)];
  const names = new Set(inCode.map(([, name = '']) => name));
  t.ok(names.has('PUBLIC_URL') && names.has('SMTP_URL'), 'settings are found in the code');
  t.strictSame(
    [...names].filter((name) => !inTables.includes(name)),
    [],
    'all are documented',
  );
  t.strictSame(
    inTables.filter((name) => !names.has(name)),
    [],
    'all that is documented is read',
  );
  t.strictSame(
    inTables.filter((name, place) => inTables.indexOf(name) !== place),
    [],
    'each once',
  );
});
