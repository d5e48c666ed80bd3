import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Folders that a folder may import from, besides itself. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  shared: [],
  'packages/embedded-postgres': [],
  'packages/client': [],
  'packages/sandbox': [],
  // What a design tool has of this project; the client comes by its name.
  'examples/host': ['packages/sandbox'],
  'server/http': ['shared'],
  'server/encryption': [],
  'server/markdown': ['shared'],
  'server/database': ['shared'],
  'server/gateway': [
    'server/http',
    'server/encryption',
    'server/markdown',
    'server/database',
    'packages/sandbox',
    'shared',
  ],
  'server/community': [
    'server/http',
    'server/encryption',
    'server/markdown',
    'server/database',
    'server/storage',
    'shared',
  ],
  'server/identity': ['server/http', 'server/encryption', 'server/database', 'shared'],
  'server/storage': ['server/', 'server/http', 'server/database'],
  'server/commands': [
    'server/',
    'server/roles',
    'server/http',
    'server/database',
    'server/storage',
    'server/community',
    'server/identity',
    'shared',
  ],
  'server/launch': [],
  'server/development': [
    'server/',
    'server/runtime',
    'server/roles',
    'server/workers',
    'server/database',
    'server/gateway',
    'server/http',
    'shared',
  ],
  'server/runtime': ['server/http', 'server/database', 'shared'],
  'server/workers': ['server/', 'server/database', 'server/gateway', 'server/http'],
  // Starts the program.
  'server/': ['server/*', 'shared', 'package.json/'],
  'server/roles': ['server/', 'server/*', 'shared'],
  'web/loading': ['shared'],
  'web/ui': ['web/loading', 'shared'],
  'web/api': ['web/ui', 'web/loading', 'shared'],
  'web/features': ['packages/sandbox', 'web/api', 'web/ui', 'web/loading', 'shared'],
  'web/layout': ['web/features', 'web/api', 'web/ui', 'web/loading', 'shared'],
  'web/pages': ['web/features', 'web/layout', 'web/api', 'web/ui', 'web/loading', 'shared'],
  'web/build': ['web/', 'web/api', 'shared', 'server/http'],
  // Entries, table of routes and document.
  'web/': ['web/*', 'shared', 'locales/'],
};

/** Packages for all of `shared`, and packages only for the folders that check uploads. */
const SHARED_PACKAGES = ['typebox'];
const UPLOAD_PACKAGES = ['acorn', 'semver', 'file-type', 'jsonc-parser'];
const UPLOAD_FOLDERS = ['shared/package/', 'shared/upload/'];

/** The public interface of a feature. */
const FEATURE_INDEX = /^web\/features\/[^/]+\/index\.ts$/;

type Import = { file: string; specifier: string };

function folderOf(path: string): string {
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

/** Imports without dynamic ones, which may form a circle because they are loaded later. */
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
  if (folderOf(file) !== 'shared') return true;
  const name = packageOf(specifier);
  const checksUploads = UPLOAD_FOLDERS.some((folder) => file.startsWith(folder));
  return SHARED_PACKAGES.includes(name) || (checksUploads && UPLOAD_PACKAGES.includes(name));
}

/** Folders with files that MAY_IMPORT does not list, and listed folders without files. */
function listErrors(files: readonly string[]): string[] {
  const folders = new Set(files.map(folderOf));
  const listed = Object.keys(MAY_IMPORT);
  return [
    ...[...folders].filter((folder) => !listed.includes(folder)).map((folder) => `${folder} is not listed`),
    ...listed.filter((folder) => !folders.has(folder)).map((folder) => `${folder} has no files`),
  ];
}

/** Every import that is not allowed, as "file → target". */
function violations(imports: readonly Import[]): string[] {
  return imports.flatMap(({ file, specifier }) => {
    const from = folderOf(file);
    const allowed = MAY_IMPORT[from] ?? [];
    if (!specifier.startsWith('.')) return mayUse(file, specifier) ? [] : [`${file} → ${specifier}`];
    const target = relative(ROOT, resolve(ROOT, dirname(file), specifier));
    const to = folderOf(target);
    const isOtherFeature =
      from === 'web/features' && to === 'web/features' && featureOf(file) !== featureOf(target);
    const isInside = isOtherFeature && !FEATURE_INDEX.test(target);
    const mayReach =
      to === from || allowed.some((folder) => folder === to || folder === `${to.split('/')[0]}/*`);
    return mayReach && !isInside ? [] : [`${file} → ${target}`];
  });
}

/** Circular imports of any length, including types. */
function fileCircles(imports: readonly Import[]): string[][] {
  const targets = new Map<string, string[]>();
  for (const { file, specifier } of imports.filter(({ specifier }) => specifier.startsWith('.')))
    targets.set(file, [
      ...(targets.get(file) ?? []),
      relative(ROOT, resolve(ROOT, dirname(file), specifier)),
    ]);
  const done = new Set<string>();
  const circles: string[][] = [];
  const follow = (file: string, path: readonly string[]): void => {
    const start = path.indexOf(file);
    if (start >= 0) circles.push([...path.slice(start), file]);
    if (start >= 0 || done.has(file)) return;
    for (const target of targets.get(file) ?? []) follow(target, [...path, file]);
    done.add(file);
  };
  for (const file of targets.keys()) follow(file, []);
  return circles;
}

/** Circles of features of any length, as "feature → feature → …". */
function featureCircles(imports: readonly Import[]): string[] {
  const used = new Map<string, Set<string>>();
  for (const { file, specifier } of imports) {
    const from = featureOf(file);
    const to = featureOf(relative(ROOT, resolve(ROOT, dirname(file), specifier)));
    if (from && to && from !== to) used.set(from, (used.get(from) ?? new Set()).add(to));
  }
  const circlesOf = (path: readonly string[]): string[] =>
    [...(used.get(path.at(-1) ?? '') ?? [])].flatMap((next) =>
      next === path[0]
        ? [[...path, next].join(' → ')]
        : path.includes(next)
          ? []
          : circlesOf([...path, next]),
    );
  return [...used.keys()].flatMap((feature) => circlesOf([feature]));
}

/** A service in areas. */
type Areas = {
  /** Areas that each area may import from; what two of them need is in a lower one. */
  mayUse: Readonly<Record<string, readonly string[]>>;
  /** Wire the areas together, or work on the rows of all of them. */
  above: readonly string[];
};
const AREAS: Readonly<Record<'community' | 'identity', Areas>> = {
  community: {
    mayUse: {
      files: [],
      people: ['files'],
      catalogue: ['files', 'people'],
      use: ['files', 'people', 'catalogue'],
      publishing: ['files', 'people', 'catalogue'],
      review: ['files', 'people', 'catalogue'],
      curation: ['files', 'people', 'catalogue'],
      help: ['files', 'people', 'catalogue'],
    },
    above: ['app.ts', 'context.ts', 'prepare.ts', 'account', 'bundle', 'first-content', 'sweep'],
  },
  identity: {
    mayUse: {
      keys: [],
      accounts: [],
      sessions: ['keys', 'accounts'],
      mail: ['accounts', 'sessions'],
      'sign-in': ['accounts', 'sessions', 'mail'],
      members: ['accounts', 'sessions', 'sign-in'],
      oauth: ['keys', 'accounts', 'sessions', 'sign-in'],
    },
    above: ['app.ts', 'context.ts', 'prepare.ts', 'clean-up.ts', 'own-account'],
  },
};

/** Imports between the areas of a service that run against their order. */
function areaViolations(service: keyof typeof AREAS, imports: readonly Import[]): string[] {
  const { mayUse, above } = AREAS[service];
  const placeOf = (path: string) => new RegExp(`^server/${service}/([^/]+)`).exec(path)?.[1];
  return imports.flatMap(({ file, specifier }) => {
    const target = relative(ROOT, resolve(ROOT, dirname(file), specifier));
    const [from, to] = [placeOf(file), specifier.startsWith('.') ? placeOf(target) : undefined];
    if (from === undefined || to === undefined || from === to || above.includes(from)) return [];
    const isBase = !(to in mayUse) && !above.includes(to);
    return isBase || mayUse[from]?.includes(to) ? [] : [`${file} → ${target}`];
  });
}

/**
 * What commands may use of community, whose rows are its own: the schema, the file store, two rooms above the areas, and how
 * approvals are signed and logged.
 */
const FRONT_OF_COMMUNITY =
  /^server\/community\/(?:schema|migrations|secrets|files\/media\/(?:files|release)|sweep\/(?:sweep|kept-files)|bundle\/[^/]+|catalogue\/transparency\/(?:chain|keys|key-store))\.ts$/;

/** Imports of commands from inside community. */
function reachesInside(imports: readonly Import[]): string[] {
  return imports.flatMap(({ file, specifier }) => {
    const target = relative(ROOT, resolve(ROOT, dirname(file), specifier));
    const isInside = target.startsWith('server/community/') && !FRONT_OF_COMMUNITY.test(target);
    return file.startsWith('server/commands/') && isInside ? [`${file} → ${target}`] : [];
  });
}

t.test('commands do not reach into community', async (t) => {
  const files = sources().filter((file) => file.startsWith('server/commands/'));
  t.strictSame(
    reachesInside(files.flatMap((file) => importsOf(file, readFileSync(join(ROOT, file), 'utf8')))),
    [],
  );
  for (const planted of ['sweep/store.ts', 'people/notices/store.ts', 'app.ts']) {
    const imports = importsOf('server/commands/a.ts', `import { x } from '../community/${planted}';`);
    t.strictSame(reachesInside(imports), [`server/commands/a.ts → server/community/${planted}`]);
  }
});

/** A decision about rights: whose a plugin is, or what a role may. */
const RIGHT = /\bpublisher_id [!=]==|\brole [!=]== ROLE_|\bisAdmin\(/;

function sources(): string[] {
  return globSync(
    [
      'shared/**/*.{js,ts}',
      'packages/embedded-postgres/**/*.ts',
      'packages/{client/src,sandbox}/**/*.ts',
      'examples/**/*.ts',
      'server/**/*.{js,ts}',
      'web/**/*.{js,ts,tsx}',
    ],
    {
      cwd: ROOT,
      exclude: ['web/dist/**'],
    },
  );
}

t.test('folders import only from allowed folders and packages', async (t) => {
  const files = sources();
  t.ok(files.length > 50, 'source files are found');
  t.strictSame(
    violations(files.flatMap((file) => importsOf(file, readFileSync(join(ROOT, file), 'utf8')))),
    [],
  );
});

t.test('the areas of a service are in one order', async (t) => {
  for (const service of ['community', 'identity'] as const) {
    const { mayUse, above } = AREAS[service];
    const files = sources().filter((file) => file.startsWith(`server/${service}/`));
    t.strictSame(
      areaViolations(
        service,
        files.flatMap((file) => importsOf(file, readFileSync(join(ROOT, file), 'utf8'))),
      ),
      [],
    );
    for (const place of [...Object.keys(mayUse).map((area) => `${area}/plugin.ts`), ...above])
      t.ok(existsSync(join(ROOT, 'server', service, place)), `${service}/${place} exists`);
  }
});

t.test('planted imports against the order of the areas are found', async (t) => {
  const used = importsOf('server/community/use/a.ts', "import { x } from '../catalogue/b.ts';");
  const planted = [
    importsOf('server/community/files/a.ts', "import { x } from '../people/b.ts';"),
    importsOf('server/community/use/a.ts', "import { x } from '../review/b.ts';"),
    importsOf('server/community/help/a.ts', "import { x } from '../app.ts';"),
    importsOf('server/community/pages.ts', "import { x } from './files/b.ts';"),
  ].flat();
  t.strictSame(areaViolations('community', used), []);
  t.equal(areaViolations('community', planted).length, planted.length);
  const ofIdentity = [
    importsOf('server/identity/accounts/a.ts', "import { x } from '../sessions/b.ts';"),
    importsOf('server/identity/sessions/a.ts', "import { x } from '../own-account/deletion.ts';"),
    importsOf('server/identity/store.ts', "import { x } from './sign-in/attempts/rate-limit.ts';"),
  ].flat();
  t.equal(areaViolations('identity', ofIdentity).length, ofIdentity.length);
});

t.test('community decides on rights in one file', async (t) => {
  const files = sources().filter((file) => file.startsWith('server/community/'));
  t.strictSame(files.filter((file) => RIGHT.test(readFileSync(join(ROOT, file), 'utf8'))).toSorted(), [
    // Records who has hidden a version.
    'server/community/catalogue/versions/versions.ts',
    // The access of a route.
    'server/community/people/auth/guard.ts',
    'server/community/people/policy.ts',
  ]);
  for (const planted of ['plugin.publisher_id === caller.user_id', 'if (isAdmin(caller)) return;'])
    t.match(planted, RIGHT);
});

t.test('there are no circular imports', async (t) => {
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

t.test('every folder is listed', async (t) => {
  const files = sources();
  t.strictSame(listErrors(files), []);
  t.strictSame(listErrors([...files, 'server/attic/a.ts', 'web/attic/b.tsx']), [
    'server/attic is not listed',
    'web/attic is not listed',
  ]);
  const rest = files.filter((file) => !file.startsWith('server/workers/'));
  t.strictSame(listErrors(rest), ['server/workers has no files']);
  t.strictSame(violations(importsOf('server/attic/a.ts', "import { x } from '../http/app.ts';")), [
    'server/attic/a.ts → server/http/app.ts',
  ]);
});

t.test('features import each other only through their index, and not in circles', async (t) => {
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

t.test('planted forbidden imports are found', async (t) => {
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
  const allowed = [
    importsOf('shared/package/script.ts', "import { parse } from 'acorn';"),
    importsOf('shared/upload/image.ts', "import { fileTypeFromBuffer } from 'file-type';"),
    importsOf('shared/package/version.ts', "import parse from 'semver/functions/parse.js';"),
  ].flat();
  t.equal(allowed.length, 3);
  t.strictSame(violations(allowed), []);
});

t.test('the server loads Vite only in development', async (t) => {
  const importersOf = (pattern: RegExp) =>
    sources().filter(
      (file) => file.startsWith('server/') && pattern.test(readFileSync(join(ROOT, file), 'utf8')),
    );
  const development = /^server\/development\//;
  const importers = importersOf(/^import (?!type ).*'vite(?:\/[^']*)?';$/m);
  t.strictSame(importers, ['server/development/join.ts', 'server/development/sources.ts']);
  t.strictSame(
    importersOf(/^import (?!type ).*\/development\/(?!setup)/m).filter((file) => !development.test(file)),
    [],
    'nothing imports them statically',
  );
  t.strictSame(importersOf(/import\('[^']*\/development\//), ['server/main.ts']);
});

/** Folders and files that alone use a package, so that it is called in one way. */
const USED_BY: Readonly<Record<string, RegExp>> = {
  'openid-client': /^server\/http\/openid\//,
  '@plugin-square/embedded-postgres': /^server\/(?:commands|roles)\/database\.ts$/,
};

/** Imports of a package from elsewhere. */
function strayUses(imports: readonly Import[]): string[] {
  return imports
    .filter(({ file, specifier }) => USED_BY[packageOf(specifier)]?.test(file) === false)
    .map(({ file, specifier }) => `${file} → ${specifier}`);
}

t.test('packages with one user have no other', async (t) => {
  const imports = sources().flatMap((file) => importsOf(file, readFileSync(join(ROOT, file), 'utf8')));
  t.strictSame(strayUses(imports), []);
  const planted = importsOf('server/identity/a.ts', "import { discovery } from 'openid-client';");
  t.strictSame(strayUses(planted), ['server/identity/a.ts → openid-client']);
  for (const [name, user] of Object.entries(USED_BY))
    t.ok(
      imports.some(({ file, specifier }) => packageOf(specifier) === name && user.test(file)),
      `${name} is used`,
    );
});

t.test('source files suppress no checks and have no TODO', async (t) => {
  const suppressions =
    /@ts-ignore|@ts-nocheck|@ts-expect-error|biome-ignore|\bas any\b|:\s*any\b|\bTODO\b|\bFIXME\b/;
  const found = sources().filter((file) => suppressions.test(readFileSync(join(ROOT, file), 'utf8')));
  t.strictSame(found, []);
});

/** Programs that start others. */
const LAUNCHERS = /^(?:server\/launch\/|examples\/host\/start\.ts$)/;

t.test('only config.ts and launchers read the environment', async (t) => {
  const readers = sources().filter((file) => /process\.env/.test(readFileSync(join(ROOT, file), 'utf8')));
  t.strictSame(
    readers.filter((file) => !LAUNCHERS.test(file) && !file.startsWith('web/')),
    ['server/config.ts'],
  );
});

/** Test folders without a folder of the product, whose files they would be looked for beside. */
function unmirrored(folders: readonly string[], exists: (path: string) => boolean): string[] {
  const mirrors: readonly [test: string, product: string][] = [
    ['test/community/', 'server/community/'],
    ['test/gateway/', 'server/gateway/'],
    ['test/identity/', 'server/identity/'],
    ['test/packages/', 'packages/'],
    ['test/shared/', 'shared/'],
    ['test/web/', 'web/'],
  ];
  return folders.filter((folder) => {
    const mirror = mirrors.find(([test]) => folder.startsWith(test));
    const isOfTests = /\/(?:fixtures|support)(?:\/|$)/.test(folder);
    return mirror && !isOfTests && !exists(folder.replace(...mirror));
  });
}

t.test('tests mirror the folders of the product', async (t) => {
  const folders = globSync('test/**/*.test.{ts,tsx}', { cwd: ROOT }).map((file) => dirname(file));
  t.ok(folders.includes('test/gateway/sign-in'), 'the tree was read');
  t.strictSame(
    unmirrored([...new Set(folders)], (path) => existsSync(join(ROOT, path))),
    [],
  );
  const planted = ['test/gateway/planted', 'test/gateway/fixtures/planted', 'test/e2e/planted'];
  t.strictSame(
    unmirrored(planted, () => false),
    ['test/gateway/planted'],
  );
});

/** Modules that open connections, and the files that may use them; all but the first must use its trusted CAs. */
const OUTGOING = 'server/http/outgoing.ts';
const CONNECTS: Readonly<Record<string, readonly string[]>> = {
  "from 'undici'|import\\('undici'\\)": [OUTGOING, 'server/http/public-host.ts'],
  "from 'node:(?:https|http2|tls)'": [OUTGOING],
  "from 'ioredis'": ['server/gateway/redis/client.ts'],
  "from 'nodemailer'": ['server/identity/mail/mailer.ts'],
  'new S3Client\\(': ['server/community/files/media/s3/client.ts'],
  'new OTLPTraceExporter\\(': ['server/runtime/tracing.ts'],
  'new Client\\(': ['server/database/', 'server/identity/sign-in/federation/ldap.ts'],
  "\\bconnect\\b[^;]*from 'node:net'": ['server/identity/sign-in/federation/ldap.ts'],
};
/** Databases have their own `sslrootcert`. */
const OWN_TRUST = 'server/database/';
/** The global `fetch` does not trust a private CA; one that is passed as a parameter does. */
const PLATFORM_FETCH = /(?<![\w.])fetch\(|globalThis\.fetch|\?\? fetch\b/;
const GIVEN_FETCH = /\bfetch(?:: Fetch\b| \}: )/;

/** Files that open connections without the trusted CAs. */
function untrustedConnections(files: ReadonlyMap<string, string>): string[] {
  return [...files].flatMap(([file, text]) => {
    // Type imports open no connection.
    const code = text.replace(/^import type .*$/gm, '').replace(/^ *(?:\/\*\*|\*|\/\/).*$/gm, '');
    const used = Object.entries(CONNECTS).filter(([pattern]) => new RegExp(pattern).test(code));
    const forbidden = used
      .filter(([, allowed]) => !allowed.some((place) => file.startsWith(place)))
      .map(([pattern]) => `${file}: ${pattern}`);
    const isTrusted = file === OUTGOING || file.startsWith(OWN_TRUST) || /\btrustIn\(/.test(code);
    const untrusted = used.length > 0 && !isTrusted ? [`${file}: without trustIn`] : [];
    const fetches = PLATFORM_FETCH.test(code) && !GIVEN_FETCH.test(code) ? [`${file}: fetch`] : [];
    const keys = /createRemoteJWKSet\(/.test(code) && !/customFetch/.test(code) ? [`${file}: keys`] : [];
    return [...forbidden, ...untrusted, ...fetches, ...keys];
  });
}

t.test('every connection to a service uses the trusted CAs', async (t) => {
  const files = globSync('server/**/*.ts', { cwd: ROOT });
  const texts = new Map(files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]));
  t.ok(texts.has(OUTGOING));
  t.strictSame(untrustedConnections(texts), []);
  const planted = new Map([
    ['server/community/a.ts', "import { Agent } from 'undici';"],
    ['server/identity/b.ts', "import { request } from 'node:https';"],
    ['server/identity/c.ts', 'const answer = await fetch(url);'],
    ['server/gateway/redis/client.ts', "import { Redis } from 'ioredis';"],
    ['server/community/d.ts', 'const keys = createRemoteJWKSet(new URL(url));'],
    ['server/identity/e.ts', 'const ask = options.fetch ?? fetch;'],
  ]);
  t.strictSame(
    untrustedConnections(planted).map((found) => found.split(':')[0]),
    [...planted.keys()].flatMap((file) => (/[ab]\.ts/.test(file) ? [file, file] : [file])),
  );
});

/** Fastify's own spelling of the address is that of the last proxy: with a port, each request would be another client. */
const OWN_ADDRESS = /\brequest\.ip\b|\bips?\b[^=;)]*\}(?:: [^=;)]*)? = request\b|FastifyRequest, [^>]*'ips?'/;

t.test('the address of a client is read in one place', async (t) => {
  const files = globSync('server/**/*.ts', { cwd: ROOT });
  t.strictSame(
    files.filter((file) => OWN_ADDRESS.test(readFileSync(join(ROOT, file), 'utf8'))),
    [],
  );
  for (const planted of [
    'of(request.ip)',
    'const { ip } = request;',
    "Pick<FastifyRequest, 'headers' | 'ip'>",
  ])
    t.match(planted, OWN_ADDRESS);
});
