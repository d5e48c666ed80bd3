import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Which rooms a room may import from (design: imports go one way). Its own files are always allowed. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  shared: [],
  'server/http': ['shared'],
  'server/encryption': [],
  'server/markdown': ['shared'],
  'server/database': ['shared'],
  'server/gateway': ['server/http', 'server/encryption', 'server/markdown', 'server/database', 'shared'],
  'server/community': ['server/http', 'server/encryption', 'server/markdown', 'server/database', 'shared'],
  'server/identity': ['server/http', 'server/encryption', 'server/database', 'shared'],
  'server/operations': [
    'server/',
    'server/http',
    'server/database',
    'server/community',
    'server/identity',
    'shared',
  ],
  'server/launch': [],
  'server/workers': ['server/', 'server/database', 'server/gateway', 'server/http'],
  // They put the program together.
  'server/': ['server/*', 'shared', 'package.json/'],
  'server/roles': ['server/', 'server/*', 'shared'],
  'web/ui': ['shared'],
  'web/api': ['shared'],
  'web/features': ['web/api', 'web/ui', 'shared'],
  'web/layout': ['web/features', 'web/api', 'web/ui', 'shared'],
  'web/pages': ['web/features', 'web/layout', 'web/api', 'web/ui', 'shared'],
  'web/build': ['web/', 'web/api', 'shared', 'server/http'],
  // The entries, the table of routes and the document.
  'web/': ['web/*', 'shared', 'locales/'],
};

/** Packages that all of `shared` may use, and those that only the folders that read uploads may. */
const SHARED_PACKAGES = ['typebox'];
const UPLOAD_PACKAGES = ['acorn', 'semver', 'file-type', 'jsonc-parser'];
const UPLOAD_FOLDERS = ['shared/package/', 'shared/upload/'];

/** What a feature shows to other features. */
const FEATURE_INDEX = /^web\/features\/[^/]+\/index\.ts$/;

type Import = { file: string; specifier: string };

function roomOf(path: string): string {
  const [top = '', second = '', third = ''] = path.split('/');
  if (top === 'shared') return 'shared';
  if (top === 'web' && second === 'features' && third.includes('.')) return 'web/features';
  return path.split('/').length > 2 ? `${top}/${second}` : `${top}/`;
}

function featureOf(path: string): string | undefined {
  return /^web\/features\/([^/]+)\//.exec(path)?.[1];
}

function importsOf(file: string, text: string): Import[] {
  const found = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\s[^'";]*?from\s+'([^']+)'|import\(\s*'([^']+)'\s*\)|(?:^|\n)import '([^']+)'/g,
  );
  return [...found].map((match) => ({ file, specifier: match[1] ?? match[2] ?? match[3] ?? '' }));
}

/** Those that are there from the start: a chunk that is fetched later may lead back. */
function staticImportsOf(file: string, text: string): Import[] {
  return importsOf(file, text.replaceAll(/import\(\s*'[^']+'\s*,?\s*\)/g, ''));
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function mayUse(file: string, specifier: string): boolean {
  if (roomOf(file) !== 'shared') return true;
  const name = packageOf(specifier);
  const readsUploads = UPLOAD_FOLDERS.some((folder) => file.startsWith(folder));
  return SHARED_PACKAGES.includes(name) || (readsUploads && UPLOAD_PACKAGES.includes(name));
}

/** Every import that goes a way it must not, as "file → target". */
function violations(imports: readonly Import[]): string[] {
  return imports.flatMap(({ file, specifier }) => {
    const from = roomOf(file);
    const allowed = MAY_IMPORT[from];
    if (!allowed) return [`${from} is not listed`];
    if (!specifier.startsWith('.')) return mayUse(file, specifier) ? [] : [`${file} → ${specifier}`];
    const target = relative(ROOT, resolve(ROOT, dirname(file), specifier));
    const to = roomOf(target);
    const isOtherFeature =
      from === 'web/features' && to === 'web/features' && featureOf(file) !== featureOf(target);
    const isInside = isOtherFeature && !FEATURE_INDEX.test(target);
    const mayReach = to === from || allowed.some((room) => room === to || room === `${to.split('/')[0]}/*`);
    return mayReach && !isInside ? [] : [`${file} → ${target}`];
  });
}

/** Files that import each other, types included, by a way of any length. */
function fileCircles(imports: readonly Import[]): string[][] {
  const targets = new Map<string, string[]>();
  for (const { file, specifier } of imports.filter(({ specifier }) => specifier.startsWith('.')))
    targets.set(file, [
      ...(targets.get(file) ?? []),
      relative(ROOT, resolve(ROOT, dirname(file), specifier)),
    ]);
  const done = new Set<string>();
  const circles: string[][] = [];
  const follow = (file: string, way: readonly string[]): void => {
    const place = way.indexOf(file);
    if (place >= 0) circles.push([...way.slice(place), file]);
    if (place >= 0 || done.has(file)) return;
    for (const target of targets.get(file) ?? []) follow(target, [...way, file]);
    done.add(file);
  };
  for (const file of targets.keys()) follow(file, []);
  return circles;
}

/** Features that use each other, by a way of any length, as "feature → feature → …". */
function featureCircles(imports: readonly Import[]): string[] {
  const used = new Map<string, Set<string>>();
  for (const { file, specifier } of imports) {
    const from = featureOf(file);
    const to = featureOf(relative(ROOT, resolve(ROOT, dirname(file), specifier)));
    if (from && to && from !== to) used.set(from, (used.get(from) ?? new Set()).add(to));
  }
  const circlesOf = (way: readonly string[]): string[] =>
    [...(used.get(way.at(-1) ?? '') ?? [])].flatMap((next) =>
      next === way[0] ? [[...way, next].join(' → ')] : way.includes(next) ? [] : circlesOf([...way, next]),
    );
  return [...used.keys()].flatMap((feature) => circlesOf([feature]));
}

function sources(): string[] {
  return globSync(['shared/**/*.ts', 'server/**/*.ts', 'web/**/*.{ts,tsx}'], {
    cwd: ROOT,
    exclude: ['web/dist/**'],
  });
}

t.test('imports go one way', async (t) => {
  const files = sources();
  t.ok(files.length > 50, 'the tree was read');
  t.strictSame(
    violations(files.flatMap((file) => importsOf(file, readFileSync(join(ROOT, file), 'utf8')))),
    [],
  );
});

t.test('no file imports itself by way of others', async (t) => {
  const imports = sources().flatMap((file) => staticImportsOf(file, readFileSync(join(ROOT, file), 'utf8')));
  t.strictSame(fileCircles(imports), []);
  const planted = [
    { file: 'web/api/a.ts', specifier: './b.ts' },
    { file: 'web/api/b.ts', specifier: '../ui/c.ts' },
    { file: 'web/ui/c.ts', specifier: '../api/a.ts' },
    { file: 'web/ui/c.ts', specifier: './d.ts' },
  ];
  t.strictSame(fileCircles(planted), [['web/api/a.ts', 'web/api/b.ts', 'web/ui/c.ts', 'web/api/a.ts']]);
});

t.test('a room that is not listed is found', async (t) => {
  t.strictSame(violations(importsOf('server/attic/a.ts', "import { x } from '../http/app.ts';")), [
    'server/attic is not listed',
  ]);
});

t.test('features use each other through their index alone, and in no circle', async (t) => {
  const files = sources().filter((file) => file.startsWith('web/features/'));
  t.strictSame(
    featureCircles(files.flatMap((file) => importsOf(file, readFileSync(join(ROOT, file), 'utf8')))),
    [],
  );
  const used = importsOf('web/features/publishing/a.ts', "import { x } from '../findings/index.ts';");
  const back = importsOf('web/features/findings/b.ts', "import { y } from '../packages/index.ts';");
  const round = importsOf('web/features/packages/c.ts', "import { z } from '../publishing/index.ts';");
  t.strictSame(violations([used, back].flat()), []);
  t.strictSame(featureCircles([used, back].flat()), []);
  t.strictSame(featureCircles([used, back, round].flat()), [
    'publishing → findings → packages → publishing',
    'findings → packages → publishing → findings',
    'packages → publishing → findings → packages',
  ]);
});

t.test('a planted import the wrong way is found', async (t) => {
  const planted = [
    importsOf('server/gateway/app.ts', "import { x } from '../community/app.ts';"),
    importsOf('shared/contract.ts', "import fastify from 'fastify';"),
    importsOf('shared/routes/publish.ts', "import { parse } from 'acorn';"),
    importsOf('shared/package/codes.ts', "import { readFile } from 'node:fs/promises';"),
    importsOf('shared/upload/image.ts', "import sharp from 'sharp';"),
    importsOf('web/ui/button.tsx', "import { call } from '../api/client.ts';"),
    importsOf('web/features/plugins/card.tsx', "import { useSession } from '../session/session.ts';"),
    importsOf('web/features/plugins/card.tsx', "const page = import('../../pages/home/home-page.tsx');"),
    importsOf('server/http/app.ts', "export { y } from '../gateway/app.ts';"),
  ].flat();
  t.equal(planted.length, 9);
  t.equal(violations(planted).length, 9);
  const rightful = [
    importsOf('shared/package/script.ts', "import { parse } from 'acorn';"),
    importsOf('shared/upload/image.ts', "import { fileTypeFromBuffer } from 'file-type';"),
    importsOf('shared/package/version.ts', "import parse from 'semver/functions/parse.js';"),
  ].flat();
  t.equal(rightful.length, 3);
  t.strictSame(violations(rightful), []);
});

t.test('the server loads Vite in development alone', async (t) => {
  const importersOf = (pattern: RegExp) =>
    sources().filter(
      (file) => file.startsWith('server/') && pattern.test(readFileSync(join(ROOT, file), 'utf8')),
    );
  t.strictSame(importersOf(/'vite'/), ['server/gateway/pages/sources.ts']);
  t.strictSame(importersOf(/from '[^']*\/sources\.ts'/), [], 'and nothing imports that with itself');
  t.strictSame(importersOf(/import\('[^']*\/sources\.ts'\)/), ['server/main.ts']);
});

t.test('source files carry no escape hatches', async (t) => {
  const hatches =
    /@ts-ignore|@ts-nocheck|@ts-expect-error|biome-ignore|\bas any\b|:\s*any\b|\bTODO\b|\bFIXME\b/;
  const found = sources().filter((file) => hatches.test(readFileSync(join(ROOT, file), 'utf8')));
  t.strictSame(found, []);
});

t.test('only config.ts reads the environment', async (t) => {
  const readers = sources().filter((file) => /process\.env/.test(readFileSync(join(ROOT, file), 'utf8')));
  t.strictSame(
    readers.filter((file) => file.startsWith('server/') || file.startsWith('shared/')),
    ['server/config.ts'],
  );
});

/** What opens connections by itself, and the files that may use it; all but the first take their trust from there. */
const OUTGOING = 'server/http/outgoing.ts';
const CONNECTS: Readonly<Record<string, readonly string[]>> = {
  "from 'undici'|import\\('undici'\\)": [OUTGOING],
  "from 'node:(?:https|http2|tls)'": [OUTGOING],
  "from 'ioredis'": ['server/gateway/redis/link.ts'],
  "from 'nodemailer'": ['server/identity/mail/mailer.ts'],
  'new S3Client\\(': ['server/community/media/s3/client.ts'],
  'new OTLPTraceExporter\\(': ['server/tracing.ts'],
  'new Client\\(': ['server/database/', 'server/identity/federation/ldap.ts'],
  "\\bconnect\\b[^;]*from 'node:net'": ['server/identity/federation/ldap.ts'],
};
/** A database is reached by its own address, with its own `sslrootcert`. */
const OWN_TRUST = 'server/database/';
/** `fetch` of the platform, which knows no private authority; as a parameter it is one that does. */
const PLATFORM_FETCH = /(?<![\w.])fetch\(|globalThis\.fetch|\?\? fetch\b/;
const GIVEN_FETCH = /\bfetch(?:: Fetch\b| \}: )/;

/** Files that reach out of the program by a way of their own. */
function ownWays(files: ReadonlyMap<string, string>): string[] {
  return [...files].flatMap(([file, text]) => {
    // Types connect to nothing.
    const code = text.replace(/^import type .*$/gm, '').replace(/^ *(?:\/\*\*|\*|\/\/).*$/gm, '');
    const used = Object.entries(CONNECTS).filter(([pattern]) => new RegExp(pattern).test(code));
    const strange = used
      .filter(([, allowed]) => !allowed.some((place) => file.startsWith(place)))
      .map(([pattern]) => `${file}: ${pattern}`);
    const isTrusted = file === OUTGOING || file.startsWith(OWN_TRUST) || /\btrustIn\(/.test(code);
    const untrusted = used.length > 0 && !isTrusted ? [`${file}: without trustIn`] : [];
    const fetches = PLATFORM_FETCH.test(code) && !GIVEN_FETCH.test(code) ? [`${file}: fetch`] : [];
    const keys = /createRemoteJWKSet\(/.test(code) && !/customFetch/.test(code) ? [`${file}: keys`] : [];
    return [...strange, ...untrusted, ...fetches, ...keys];
  });
}

t.test('every connection to a service is opened in one place, or trusts whom that trusts', async (t) => {
  const files = globSync('server/**/*.ts', { cwd: ROOT });
  const texts = new Map(files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]));
  t.ok(texts.has(OUTGOING));
  t.strictSame(ownWays(texts), []);
  const planted = new Map([
    ['server/community/a.ts', "import { Agent } from 'undici';"],
    ['server/identity/b.ts', "import { request } from 'node:https';"],
    ['server/identity/c.ts', 'const answer = await fetch(url);'],
    ['server/gateway/redis/link.ts', "import { Redis } from 'ioredis';"],
    ['server/community/d.ts', 'const keys = createRemoteJWKSet(new URL(url));'],
    ['server/identity/e.ts', 'const ask = options.fetch ?? fetch;'],
  ]);
  t.strictSame(
    ownWays(planted).map((found) => found.split(':')[0]),
    [...planted.keys()].flatMap((file) => (/[ab]\.ts/.test(file) ? [file, file] : [file])),
  );
});
