import t from 'tap';
import { loadConfig } from '../../server/config.ts';

t.test('defaults of the settings table', async (t) => {
  const config = loadConfig({});
  t.match(config, {
    role: 'all',
    host: '127.0.0.1',
    port: 8080,
    opsPort: 8081,
    publicUrl: 'http://localhost:8080',
    deployType: 'domestic',
    seed: 'demo',
    publishers: 'admins',
    trustProxy: [],
    session: { idle: 7 * 86_400_000, max: 30 * 86_400_000, keys: [] },
    login: {
      url: 'http://localhost:8080/user/login',
      product: '1',
      channel: 'official',
      from: '1',
      uxMode: 'redirect',
    },
  });
});

t.test('a database of your own is not filled with the demo unless asked', async (t) => {
  t.equal(loadConfig({ DATABASE_URL: 'postgres://x' }).seed, 'none');
  t.equal(loadConfig({ DATABASE_URL: 'postgres://x', SEED: 'demo' }).seed, 'demo');
});

const BAD: [string, Record<string, string>, RegExp][] = [
  ['a port that is none', { PORT: '99999' }, /PORT must be a port number/],
  ['a port of words', { PORT: 'http' }, /PORT must be a port number/],
  ['a path in PUBLIC_URL', { PUBLIC_URL: 'https://example.org/plugins' }, /PUBLIC_URL must be an origin/],
  ['another scheme', { PUBLIC_URL: 'ftp://example.org' }, /PUBLIC_URL must be an http or https address/],
  ['credentials in an address', { COMMUNITY_URL: 'http://a:b@example.org' }, /COMMUNITY_URL must be/],
  ['an unknown deploy type', { DEPLOY_TYPE: 'moon' }, /DEPLOY_TYPE must be one of domestic, overseas/],
  ['a number of hops', { TRUST_PROXY: '1' }, /TRUST_PROXY must hold addresses or ranges/],
  ['a short key', { SESSION_KEYS: 'abcd' }, /SESSION_KEYS must hold keys of 32 bytes/],
  ['a time without a unit', { SESSION_IDLE: '30' }, /SESSION_IDLE must be a time/],
  ['idle beyond max', { SESSION_IDLE: '40d' }, /SESSION_IDLE must not exceed SESSION_MAX/],
  ['a gateway without upstreams', { ROLE: 'gateway' }, /ROLE=gateway needs COMMUNITY_URL and IDENTITY_URL/],
  ['a missing certificate file', { UPSTREAM_CA: '/does/not/exist' }, /UPSTREAM_CA/],
];

for (const [name, environment, message] of BAD) {
  t.test(`refused: ${name}`, async (t) => {
    t.throws(() => loadConfig(environment), { name: 'StartError', message });
  });
}

t.test('all faults are told at once', async (t) => {
  t.throws(() => loadConfig({ PORT: 'x', ROLE: 'y' }), { message: /ROLE must.*PORT must/ });
});
