import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { pageRoutes } from '../../web/routes.ts';
import { TEXT_GROUPS, textGroupOf } from '../../web/text-groups.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const pack: Record<string, unknown> = JSON.parse(readFileSync(join(ROOT, 'locales/en-US.json'), 'utf8'));
const grouped = new Set<string>(Object.values(TEXT_GROUPS).flat());

/** A file of the web client and all that it imports, lazily too. */
function closure(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file) || !existsSync(join(ROOT, file))) return seen;
  seen.add(file);
  const text = readFileSync(join(ROOT, file), 'utf8');
  for (const [, specifier = ''] of text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+\.tsx?)'/g)) {
    const target = relative(ROOT, resolve(ROOT, dirname(file), specifier));
    if (target.startsWith('web/')) closure(target, seen);
  }
  return seen;
}

function namespacesOf(files: Iterable<string>): Set<string> {
  const texts = [...files].map((file) => readFileSync(join(ROOT, file), 'utf8'));
  return new Set(
    texts.flatMap((text) => [...text.matchAll(/useTranslations\('(\w+)/g)].map((found) => found[1] ?? '')),
  );
}

t.test('every page has the texts it shows', async (t) => {
  for (const { path, source } of pageRoutes) {
    const group = textGroupOf(source);
    const there = new Set<string>(group ? TEXT_GROUPS[group] : []);
    const shown = namespacesOf(closure(source));
    t.ok(shown.size > 0, `${path} shows texts`);
    const missing = [...shown].filter((name) => grouped.has(name) && !there.has(name));
    t.strictSame(missing, [], path);
  }
});

t.test('no group names texts that there are not', async (t) => {
  t.strictSame(
    [...grouped].filter((name) => !Object.hasOwn(pack, name)),
    [],
  );
});
