import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { buildIfStale, sourceHash } from '../../../server/launch/build.js';
import { missingPackages } from '../../../server/launch/install.js';
import { packageEnvironment, pinnedNode, programEnvironment } from '../../../server/launch/node.js';
import { withCoverage } from '../../run/coverage.js';
import { NAMED } from '../../run/long.js';
import { countCases, runTapTwice, testFiles } from '../../run/tap.js';
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
    t.strictSame(missingPackages(LOCK, undefined), [
      'node_modules/pg',
      'node_modules/vite',
      'node_modules/shared',
    ]);
  });

  t.test('everything for this platform installed: nothing is missing', async (t) => {
    t.strictSame(missingPackages(LOCK, HERE), []);
  });

  t.test('another version counts as missing', async (t) => {
    const installed = { ...HERE, 'node_modules/pg': { version: '7.9.0' } };
    t.strictSame(missingPackages(LOCK, installed), ['node_modules/pg']);
  });

  t.test('a production install does not miss development packages, but misses its own', async (t) => {
    t.strictSame(missingPackages(LOCK, { 'node_modules/pg': { version: '8.0.0' } }), []);
    t.strictSame(missingPackages(LOCK, { 'node_modules/x': { version: '8.0.0' } }), ['node_modules/pg']);
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

t.test('summary of a run', async (t) => {
  /** Counts of a report's lines, and of a run that ended with `exitCode`. */
  function counted(report: string, exitCode: number | null = 0) {
    const cases = countCases();
    for (const line of report.split('\n')) cases.read(line);
    return cases.end(exitCode);
  }

  t.test('cases are counted: tests without subtests, and files without tests', async (t) => {
    const report = `
        ok 1 - an assertion
        ok 2 - another
        1..2
    ok 1 - a case # time=1.5ms
        ok 1 - inner # time=2ms
        ok 2 - inner too # time=2ms
    ok 2 - with two cases # time=5ms
ok 1 - a.test.ts # time=9ms
    ok 1 - an assertion of a file without tests
ok 2 - b.test.ts # time=9ms`;
    t.strictSame(counted(report), { passed: 4, failed: 0, skipped: 0, unsteady: 0 });
  });

  t.test('a failure is counted once', async (t) => {
    const inner = `
        not ok 1 - an assertion
    not ok 1 - a case # time=1.5ms
    ok 2 - another # time=1ms
not ok 1 - a.test.ts # time=9ms`;
    t.strictSame(counted(inner, 1), { passed: 1, failed: 1, skipped: 0, unsteady: 0 });
    const outer = `
    ok 1 - a case # time=1ms
    not ok 2 - an assertion beside it
not ok 1 - a.test.ts # time=9ms`;
    t.strictSame(counted(outer, 1), { passed: 1, failed: 1, skipped: 0, unsteady: 0 });
  });

  t.test('skipped cases are reported', async (t) => {
    const report = `
    ok 1 - a case # SKIP no Redis
ok 1 - a.test.ts # time=9ms`;
    t.strictSame(counted(report), { passed: 0, failed: 0, skipped: 1, unsteady: 0 });
  });

  t.test('a few files that failed run once more', async (t) => {
    const root = fileURLToPath(new URL('../../..', import.meta.url));
    const PASSES = "import t from 'tap';\nt.test('passes', async (t) => t.ok(true));\n";
    const FAILS = "import t from 'tap';\nt.test('fails', async (t) => t.ok(false));\n";
    const UNSTEADY = `import { existsSync, writeFileSync } from 'node:fs';
import t from 'tap';
t.test('passes the second time', async (t) => {
  t.ok(existsSync('seen'));
  writeFileSync('seen', '');
});
`;
    const cwd = t.testdir({
      'package.json': '{ "type": "module" }',
      '.taprc': await readFile(join(root, '.taprc'), 'utf8'),
      node_modules: t.fixture('symlink', join(root, 'node_modules')),
      'passes.test.js': PASSES,
      'unsteady.test.js': UNSTEADY,
      ...Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`${name}.test.js`, FAILS])),
    });
    const run = async (...names: string[]) => {
      const printed: string[] = [];
      const files = names.map((name) => `${name}.test.js`);
      const print = (text: string) => void printed.push(text);
      const counts = await runTapTwice(process.execPath, files, {
        cwd,
        env: { PATH: process.env.PATH },
        print,
      });
      return { counts, again: printed.filter((text) => text.includes('Once more')) };
    };
    t.strictSame(await run('passes', 'unsteady'), {
      counts: { passed: 1, failed: 0, skipped: 0, unsteady: 1 },
      again: ['\nOnce more, alone: unsteady.test.js'],
    });
    t.strictSame(await run('passes', 'a'), {
      counts: { passed: 1, failed: 1, skipped: 0, unsteady: 0 },
      again: ['\nOnce more, alone: a.test.js'],
    });
    t.strictSame(await run('a', 'b', 'c', 'd'), {
      counts: { passed: 0, failed: 4, skipped: 0, unsteady: 0 },
      again: [],
    });
  });

  t.test('an aborted run has failed', async (t) => {
    t.strictSame(counted('', 1), { passed: 0, failed: 1, skipped: 0, unsteady: 0 });
    t.strictSame(counted('ok 1 - a.test.ts # time=1ms', null), {
      passed: 1,
      failed: 1,
      skipped: 0,
      unsteady: 0,
    });
  });

  t.test('files are selected by words in their path', async (t) => {
    const root = t.testdir({
      test: {
        gateway: { 'a.test.ts': '', 'b.test.tsx': '', 'helper.ts': '' },
        web: { 'c.test.ts': '' },
        support: { 'd.test.ts': '' },
      },
    });
    const [a, b, c] = ['gateway/a.test.ts', 'gateway/b.test.tsx', 'web/c.test.ts'].map((path) =>
      join('test', path),
    );
    t.strictSame(testFiles(root, { words: [] }), [a, b, c]);
    t.strictSame(testFiles(root, { words: ['gateway'] }), [a, b]);
    t.strictSame(testFiles(root, { words: ['b.test', 'web'] }), [b, c]);
    t.strictSame(testFiles(root, { words: ['nothing'] }), []);
  });

  t.test('browser tests are long ones unless they are selected', async (t) => {
    const root = t.testdir({
      test: {
        e2e: { 'home.test.ts': '', 'of-mine.test.ts': '', pictures: { 'pictures.test.ts': '' } },
        faults: { 'clock.test.ts': '', 'kill.test.ts': '' },
      },
    });
    const [home, mine, clock, kill] = ['e2e/home', 'e2e/of-mine', 'faults/clock', 'faults/kill'].map((path) =>
      join('test', `${path}.test.ts`),
    );
    t.strictSame(testFiles(root, { words: [] }), [home, kill]);
    t.strictSame(testFiles(root, { words: [], long: true }), [mine, clock]);
    for (const file of NAMED) t.ok(existsSync(file), `${file} is there`);
  });

  t.test('coverage is written to the README; a loss of more than one percent fails', async (t) => {
    const readme = (percent: number) =>
      `# Name\n\nTests without a browser run ${percent} % of the lines of \`server/\` and \`shared/\` (so).\n`;
    t.strictSame(withCoverage(readme(90), 93), { text: readme(93), isLower: false });
    t.strictSame(withCoverage(readme(90), 89), { text: readme(89), isLower: false });
    t.strictSame(withCoverage(readme(90), 88), { text: readme(88), isLower: true });
    t.throws(() => withCoverage('# Name', 93), { message: 'README.md has no coverage.' });
  });
});
