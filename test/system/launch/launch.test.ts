import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import t from 'tap';
import { buildIfStale, sourceHash } from '../../../server/launch/build.js';
import { missingPackages } from '../../../server/launch/install.js';
import { packageEnvironment, pinnedNode, programEnvironment } from '../../../server/launch/node.js';
import { until } from '../../support/until.ts';

t.test('stale build', async (t) => {
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

  t.test('no file that .gitignore lists is a source', async (t) => {
    const list = await readFile(new URL('../../../.gitignore', import.meta.url), 'utf8');
    const patterns = list.split('\n').filter((line) => line !== '' && !line.startsWith('/'));
    t.ok(patterns.includes('locales/*.d.json.ts'));
    for (const pattern of patterns) {
      const root = t.testdir({ web: { 'a.ts': '' }, locales: { 'en-US.json': '{}' } });
      const hash = sourceHash(root, ['web', 'locales']);
      const below = /^(?:web|locales)\//.test(pattern) ? pattern : join('web', pattern);
      const file = join(root, below.replace('*', 'en-US').replace(/\/$/, '/x.ts'));
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, 'generated');
      t.equal(sourceHash(root, ['web', 'locales']), hash, pattern);
    }
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
});

t.test('missing packages', async (t) => {
  const LOCK = {
    '': { version: '1.0.0' },
    'node_modules/pg': { version: '8.0.0' },
    'node_modules/vite': { version: '8.0.0', dev: true },
    'node_modules/shared': { version: '1.0.0', devOptional: true },
    'node_modules/for-windows': { version: '1.0.0', optional: true },
  };
  const { '': _root, 'node_modules/for-windows': _other, ...HERE } = LOCK;

  t.test('nothing installed: all packages except optional ones are missing', async (t) => {
    t.strictSame(missingPackages(LOCK, undefined, { dev: true }), [
      'node_modules/pg',
      'node_modules/vite',
      'node_modules/shared',
    ]);
  });

  t.test('everything for this platform installed: nothing is missing', async (t) => {
    t.strictSame(missingPackages(LOCK, HERE, { dev: true }), []);
  });

  t.test('another version counts as missing', async (t) => {
    const installed = { ...HERE, 'node_modules/pg': { version: '7.9.0' } };
    t.strictSame(missingPackages(LOCK, installed, { dev: true }), ['node_modules/pg']);
  });

  t.test('packages for tests are not missing where they are not wanted', async (t) => {
    const dev = false;
    t.strictSame(missingPackages(LOCK, undefined, { dev }), ['node_modules/pg']);
    t.strictSame(missingPackages(LOCK, { 'node_modules/pg': { version: '8.0.0' } }, { dev }), []);
    t.strictSame(missingPackages(LOCK, { 'node_modules/x': { version: '8.0.0' } }, { dev }), [
      'node_modules/pg',
    ]);
  });
});

t.test('choice of Node', async (t) => {
  t.test('the pinned Node takes precedence over the running one', async (t) => {
    const root = t.testdir({ node_modules: { '.bin': { node: '' } } });
    t.equal(pinnedNode(root, '20.0.0'), join(root, 'node_modules', '.bin', 'node'));
    t.equal(packageEnvironment(root).PATH?.split(delimiter)[0], join(root, 'node_modules', '.bin'));
  });

  t.test('without it the running Node is used if it is new enough', async (t) => {
    const root = t.testdir({});
    t.equal(pinnedNode(root, '24.0.0'), process.execPath);
    t.throws(() => pinnedNode(root, '22.19.0'), {
      message: 'Node 24 or later is needed, and this is Node 22.19.0.',
    });
  });

  t.test('compiled modules are cached in node_modules', (t) => {
    const { NODE_COMPILE_CACHE } = programEnvironment('/srv/square', {});
    t.equal(NODE_COMPILE_CACHE, join('/srv/square', 'node_modules', '.cache', 'plugin-square'));
    t.end();
  });

  t.test('variables of the operator take precedence', (t) => {
    const given = { NODE_COMPILE_CACHE: '/var/cache/square', MALLOC_ARENA_MAX: '8', PORT: '80' };
    t.match(programEnvironment('/srv/square', given), { ...given, MALLOC_MMAP_THRESHOLD_: '131072' });
    t.end();
  });
});

t.test('running a program', async (t) => {
  interface Launched {
    launcher: ChildProcessByStdio<null, Readable, null>;
    /** Process id of the program. */
    pid: number;
    /** Output of the program after its process id. */
    lines: string[];
  }

  async function launch(env: NodeJS.ProcessEnv = process.env): Promise<Launched> {
    const [launcherScript, program] = ['launch.js', 'program.js'].map((name) =>
      join(import.meta.dirname, 'fixtures', name),
    );
    const args = [launcherScript ?? '', program ?? ''];
    const launcher = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const lines: string[] = [];
    const reader = createInterface({ input: launcher.stdout });
    const [pid] = await once(reader, 'line');
    reader.on('line', (line) => lines.push(line));
    return { launcher, pid: Number(pid), lines };
  }

  function exists(pid: number): boolean {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  }

  t.test(
    'a signal reaches the program once, however often it comes, and its exit code comes back',
    async (t) => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) {
        const { launcher, pid, lines } = await launch();
        const closed = once(launcher, 'close');
        launcher.kill(signal);
        await until(() => lines.length > 0);
        launcher.kill(signal);
        const [code] = await closed;
        t.equal(code, 7);
        t.strictSame(lines, [signal]);
        t.notOk(exists(pid));
      }
    },
  );

  t.test('closing the terminal ends the program gracefully', async (t) => {
    const { launcher, lines } = await launch();
    launcher.kill('SIGHUP');
    const [code] = await once(launcher, 'close');
    t.equal(code, 7);
    t.strictSame(lines, ['SIGTERM']);
  });

  t.test('the exit code of a killed program is 128 plus the signal number', async (t) => {
    const { launcher, pid } = await launch();
    process.kill(pid, 'SIGKILL');
    const [code] = await once(launcher, 'close');
    t.equal(code, 137);
  });

  t.test('after kill -9 of the launcher the program ends', async (t) => {
    const { launcher, lines } = await launch();
    launcher.kill('SIGKILL');
    await once(launcher, 'close');
    t.strictSame(lines, ['SIGTERM']);
  });
});
