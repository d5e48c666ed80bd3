import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

const execute = promisify(execFile);
/** Without the loader that the test runner gives to all programs. */
const run = (args: string[], cwd = ROOT) =>
  execute('env', ['-u', 'NODE_OPTIONS', process.execPath, ...args], { cwd });
const PACKAGE = join(ROOT, 'packages/client');
const TSC = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

const PROGRAM = `
import { createClient, isClientError, memoryStorage } from '@plugin-square/client';
import { folderStorage, signInByLoopback } from '@plugin-square/client/node';
const client = createClient({ site: 'https://square.example', clientId: 'x', storage: memoryStorage() });
client.on('withdrawn', ({ plugin, withdrawal }) => plugin.plugin_key + withdrawal.reason);
const error: unknown = await client.sync().catch((reason: unknown) => reason);
console.log(isClientError(error) && error.code, typeof folderStorage, typeof signInByLoopback);
`;

t.test('the packed package stands alone', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'client-pack-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const installed = join(folder, 'node_modules/@plugin-square/client');
  await mkdir(installed, { recursive: true });
  await run([TSC, '-p', join(PACKAGE, 'tsconfig.build.json'), '--outDir', join(installed, 'dist')]);
  await cp(join(PACKAGE, 'package.json'), join(installed, 'package.json'));
  for (const name of ['jose', '@types', 'undici-types'])
    await symlink(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));

  await t.test('as a program, and by its types', async (t) => {
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await writeFile(join(folder, 'program.ts'), PROGRAM);
    const options = '--strict --module nodenext --target es2022 --lib es2022,dom --types node'.split(' ');
    await run([TSC, ...options, 'program.ts'], folder);
    const { stdout } = await run(['program.js'], folder);
    t.equal(stdout, 'SIGNED_OUT function function\n');
  });

  await t.test('without other packages, and without Node where browsers run it', async (t) => {
    const files = await readdir(join(installed, 'dist'), { recursive: true });
    const foreign: string[] = [];
    for (const file of files.filter((name) => /\.(?:js|d\.ts)$/.test(name))) {
      const text = await readFile(join(installed, 'dist', file), 'utf8');
      for (const [, name = ''] of text.matchAll(/(?:from|import\()\s*['"]([^.'"][^'"]*)['"]/g))
        if (name !== 'jose' && !(name.startsWith('node:') && file.startsWith('node/')))
          foreign.push(`${file} ${name}`);
    }
    t.ok(files.includes('index.js') && files.includes('node/index.d.ts'));
    t.strictSame(foreign, []);
  });
});
