import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { buildIfStale, sourceHash } from '../../server/launch/build.js';

/** A Vite that runs `script`. */
const viteOf = (script: string) => ({ 'package.json': '{ "type": "module" }', bin: { 'vite.js': script } });

const PATHS = ['web', 'package-lock.json'];
const BUILD = `import { appendFileSync, mkdirSync } from 'node:fs';
if (process.argv.slice(2).join(' ') !== 'build web --app') process.exit(9);
mkdirSync('web/dist', { recursive: true });
appendFileSync('web/dist/built', 'x');
`;

t.test('the hash follows names and contents of sources, and nothing else', async (t) => {
  const root = t.testdir({ web: { 'a.ts': 'one', b: { 'c.ts': 'two' } }, 'package-lock.json': '{}' });
  const first = sourceHash(root, PATHS);
  t.match(first, /^[0-9a-f]{64}$/);
  await mkdir(join(root, 'web', 'dist'));
  await writeFile(join(root, 'web', 'dist', 'x.js'), 'output');
  await writeFile(join(root, 'web', '.hidden'), 'editor');
  await writeFile(join(root, 'other'), 'other');
  t.equal(sourceHash(root, PATHS), first);
  await writeFile(join(root, 'web', 'b', 'c.ts'), 'three');
  const second = sourceHash(root, PATHS);
  t.not(second, first);
  await rename(join(root, 'web', 'a.ts'), join(root, 'web', 'z.ts'));
  t.not(sourceHash(root, PATHS), second);
});

t.test('the client is built once, and again only after a change', async (t) => {
  const root = t.testdir({ web: { 'vite.config.ts': '' }, node_modules: { vite: viteOf(BUILD) } });
  const builds = async (): Promise<number> => (await readFile(join(root, 'web/dist/built'), 'utf8')).length;
  await buildIfStale(root);
  await buildIfStale(root);
  t.equal(await builds(), 1);
  await writeFile(join(root, 'web', 'page.ts'), '');
  await buildIfStale(root);
  t.equal(await builds(), 2);
  await rm(join(root, 'web', 'dist'), { recursive: true });
  await buildIfStale(root);
  t.equal(await builds(), 1);
});

t.test('a failed build is reported with its output and repeated next time', async (t) => {
  const broken = "console.error('no such page'); process.exit(3);";
  const root = t.testdir({ web: { 'vite.config.ts': '' }, node_modules: { vite: viteOf(broken) } });
  const expected = { message: /^Building the web client failed \(exit code 3\):\nno such page$/ };
  await t.rejects(buildIfStale(root), expected);
  await t.rejects(buildIfStale(root), expected);
});

t.test('an install without the build does not build', async (t) => {
  const root = t.testdir({ web: { 'vite.config.ts': '' } });
  await buildIfStale(root);
  t.notOk(existsSync(join(root, 'web/dist')));
});
