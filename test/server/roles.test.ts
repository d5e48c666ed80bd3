import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';

const LIST_MODULES = fileURLToPath(new URL('fixtures/list-modules.ts', import.meta.url));

/** Own folders and packages that are loaded by a module of the server. */
async function loadedBy(module: string): Promise<ReadonlySet<string>> {
  const { stdout } = await promisify(execFile)(process.execPath, [LIST_MODULES, module], {
    maxBuffer: 2 ** 24,
  });
  return new Set(stdout.trim().split('\n'));
}

/** Modules that a role must not load, because of start time and memory. */
const WITHOUT: Readonly<Record<string, readonly string[]>> = {
  'main.ts': ['server/gateway', 'server/community', 'server/identity', 'pg', 'kysely', 'undici'],
  'roles/gateway.ts': ['server/community', 'server/identity', 'pg', 'kysely', 'sharp', 'ioredis', 'acorn'],
  'roles/gateway-processes.ts': ['server/community', 'server/identity', 'undici', 'pg', 'kysely'],
  'roles/identity.ts': [
    ...['server/community', 'sharp', 'ioredis', 'acorn', 'undici', 'nodemailer', 'piscina'],
    ...['@node-saml/node-saml', 'ldapts', 'openid-client'],
  ],
  'roles/community.ts': ['server/gateway', 'server/identity', 'ioredis', '@node-rs/argon2'],
};

for (const [module, absent] of Object.entries(WITHOUT)) {
  t.test(`${module} loads only the modules it needs`, async (t) => {
    const loaded = await loadedBy(module);
    t.ok(loaded.has('typebox') || loaded.has('jose'), 'the modules were listed');
    t.strictSame(
      absent.filter((name) => loaded.has(name)),
      [],
    );
  });
}
