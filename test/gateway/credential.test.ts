import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { loadConfig } from '../../server/config.ts';
import { clientAuthorization, serviceAuthorization } from '../../server/http/service-credential.ts';
import { gatewayCredentials } from '../../server/roles/gateway.ts';
import { startGateway } from '../support/gateway.ts';
import { startBoth } from '../support/gateway-with-identity.ts';
import {
  GATEWAY_TO_COMMUNITY,
  GATEWAY_TO_IDENTITY,
  SERVICE_KEYS,
  SERVICE_KEYS_SETTING,
} from '../support/service-keys.ts';
import { stubAnswer } from '../support/stub-upstream.ts';

/** Later than an access token expires (15 min), earlier than the session. */
const EXPIRED = 16 * 60_000;
const LIST = '/api/cmt/plugin/list?limit=1';
const ELSEWHERE = { COMMUNITY_URL: 'https://community.example', IDENTITY_URL: 'https://users.example' };
const CREDENTIALS = {
  community: GATEWAY_TO_COMMUNITY,
  helpcenter: GATEWAY_TO_COMMUNITY,
  identity: GATEWAY_TO_IDENTITY,
};

t.test('a client of RFC 6749 section 2.3.1 encodes its id and secret', async (t) => {
  const decoded = (header: string) => atob(header.replace(/^Basic /, ''));
  t.equal(clientAuthorization('square', 'secret'), 'Basic c3F1YXJlOnNlY3JldA==');
  t.equal(decoded(clientAuthorization('a b:c', '100% ü+-_.~*&=')), 'a+b%3Ac:100%25+%C3%BC%2B-_.%7E*%26%3D');
});

t.test('each service has a secret of its own, and each key too', async (t) => {
  const [key = Buffer.alloc(0)] = SERVICE_KEYS;
  const other = Buffer.alloc(32, 'another key');
  const headers = [key, other].flatMap((one) =>
    (['community', 'identity'] as const).map((to) => serviceAuthorization(one, { from: 'gateway', to })),
  );
  t.equal(new Set(headers).size, 4);
  for (const header of headers) t.match(header, /^Basic [\w+/]+=*$/);
});

t.test('who gets the credential', async (t) => {
  const sent = (settings: Record<string, string>) => gatewayCredentials(loadConfig(settings));
  const keys = { SERVICE_KEYS: SERVICE_KEYS_SETTING };
  const { community, identity } = CREDENTIALS;

  t.strictSame(sent({ ROLE: 'gateway', ...ELSEWHERE }), {}, 'nobody without a setting');
  t.strictSame(sent({ ROLE: 'gateway', ...ELSEWHERE, ...keys }), CREDENTIALS, 'our services elsewhere');
  t.strictSame(
    sent({ ROLE: 'gateway', ...ELSEWHERE, ...keys, HELPCENTER_URL: 'https://help.example' }),
    { community, identity },
    'a help center of another make does not',
  );
  t.strictSame(
    sent({ ROLE: 'gateway', ...ELSEWHERE, ...keys, SERVICE_KEYS_FOR: 'identity' }),
    { identity },
    'a community service of another make does not',
  );
  const foreign = { ...ELSEWHERE, LOGIN_URL: 'https://users.example/login' };
  t.strictSame(
    sent({ ROLE: 'gateway', ...foreign, ...keys }),
    { community, helpcenter: community },
    'a user service with its own login page does not',
  );
  const client = { USER_SERVICE_CLIENT_ID: 'square', USER_SERVICE_CLIENT_SECRET: 'secret' };
  t.strictSame(sent({ ROLE: 'gateway', ...foreign, ...client }), { identity: 'Basic c3F1YXJlOnNlY3JldA==' });

  t.test('services in one program have a key that this machine made', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'plugin-square-keys-'));
    t.teardown(() => rm(folder, { recursive: true, force: true }));
    const first = sent({ DATA_DIR: folder });
    t.strictSame(Object.keys(first), ['community', 'helpcenter', 'identity']);
    t.strictSame(sent({ DATA_DIR: folder }), first, 'after a restart too');
    const file = join(folder, 'service-keys');
    t.equal((await stat(file)).mode & 0o777, 0o600);
    const [key = ''] = (await readFile(file, 'utf8')).split('\n');
    t.strictSame(sent({ ROLE: 'gateway', ...ELSEWHERE, SERVICE_KEYS: key }), first);
    t.strictSame(Object.keys(sent({ DATA_DIR: folder, ...ELSEWHERE })), [], 'which others do not get');
  });
});

t.test('calls without a user’s bearer carry the credential, all others the bearer', async (t) => {
  const gateway = await startGateway(t, { credentials: CREDENTIALS });
  const { community, helpcenter, identity } = gateway;
  for (const stub of [community, helpcenter, identity]) stub.otherwise(() => ({}));
  const visitor = gateway.browser();
  const forged = { headers: { authorization: 'Basic Zm9yZ2VkOmZvcmdlZA==' } };
  await visitor.call(LIST, forged);
  await visitor.call('/api/cmt/plugin/report', { method: 'POST', body: '{}', ...forged });
  await visitor.call(`/api/cmt/media/${'0'.repeat(32)}.webp`, forged);
  await visitor.call('/api/helpcenter/article', forged);
  await visitor.call('/user/page/options', forged);
  await visitor.call('/user/page/sign_in', { method: 'POST', body: '{}', ...forged });
  await visitor.visit('/plugins/');
  for (const { path, headers } of [...community.requests, ...helpcenter.requests]) {
    t.equal(headers.authorization, GATEWAY_TO_COMMUNITY, path);
  }
  for (const { path, headers } of identity.requests)
    t.equal(headers.authorization, GATEWAY_TO_IDENTITY, path);
  t.ok(community.requests.length >= 3 && helpcenter.requests.length > 0 && identity.requests.length >= 2);

  const browser = gateway.browser();
  await browser.signIn();
  const [exchanged] = identity.seen('GET /user/login/code/user');
  t.equal(exchanged?.headers.authorization, GATEWAY_TO_IDENTITY);
  t.notMatch(exchanged?.target, /secret|client/);
  await browser.call('/api/cmt/plugin/user', { method: 'POST', body: '{}' });
  t.match(community.requests.at(-1)?.headers.authorization, /^Bearer e30\./);

  // A read that goes on as a visitor's, because its token was rejected and cannot be renewed.
  const OWN = '/api/cmt/plugin/list?limit=3';
  community.on('GET /api/cmt/plugin/list', ({ headers }) =>
    headers.authorization?.startsWith('Bearer') ? stubAnswer(401, {}) : {},
  );
  identity.on('POST /user/refresh_token', () => stubAnswer(503, {}));
  t.equal((await browser.call(OWN)).status, 200);
  t.equal(community.requests.at(-1)?.headers.authorization, GATEWAY_TO_COMMUNITY);

  identity.on('POST /user/refresh_token', () => ({ access_token: gateway.issued.accessToken() }));
  gateway.clock.ahead = EXPIRED;
  await browser.call('/api/cmt/plugin/user', { method: 'POST', body: '{}' });
  const [refreshed] = identity.seen('POST /user/refresh_token');
  t.equal(refreshed?.headers.authorization, GATEWAY_TO_IDENTITY);
  t.equal(refreshed?.headers['content-type'], 'application/x-www-form-urlencoded');
  const form = new URLSearchParams(refreshed?.body.toString());
  t.strictSame([...form.keys()], ['grant_type', 'refresh_token']);
  t.equal(form.get('grant_type'), 'refresh_token');
  t.match(form.get('refresh_token'), /^CANARY-refresh-/);
  await gateway.logged();
  for (const header of Object.values(CREDENTIALS)) {
    const [, encoded = ''] = header.split(' ');
    t.notOk(gateway.logText().includes(encoded));
    t.notOk(gateway.logText().includes(atob(encoded).split(':')[1] ?? ''));
  }
});

t.test('R 9.28: without a credential the calls are those of R 14.47 and R 14.51', async (t) => {
  const gateway = await startGateway(t);
  const browser = gateway.browser();
  await gateway.browser().call(LIST);
  t.equal(gateway.community.requests[0]?.headers.authorization, undefined);
  await browser.signIn();
  t.equal(gateway.identity.seen('GET /user/login/code/user')[0]?.headers.authorization, undefined);
  gateway.clock.ahead = EXPIRED;
  await browser.call('/api/cmt/plugin/user', { method: 'POST', body: '{}' });
  const [refreshed] = gateway.identity.seen('POST /user/refresh_token');
  t.match(refreshed?.headers.authorization, /^Bearer CANARY-refresh-/);
  t.equal(refreshed?.body.toString(), '{}');
});

t.test('a refused credential is an error for the operator, not for the user', async (t) => {
  const OURS = { 'www-authenticate': 'Basic realm="plugin-square"' };
  const refusal = (headers: Record<string, string>) =>
    stubAnswer(401, { code: 'SERVICE_CREDENTIAL_INVALID', message: '' }, headers);
  const gateway = await startGateway(t);
  const { community, identity } = gateway;
  const browser = gateway.browser();
  await browser.signIn();
  const explained = (text: string) =>
    gateway.lines().filter(({ err }) => JSON.stringify(err)?.includes(text));

  for (const path of ['/api/cmt/plugin/list?limit=2', `/api/cmt/media/${'0'.repeat(32)}.webp`]) {
    community.otherwise(() => refusal(OURS));
    const answer = await gateway.browser().call(path);
    t.equal(answer.status, 502, path);
    t.equal(answer.json().code, 'UPSTREAM_INVALID', path);
    t.equal(answer.headers['www-authenticate'], undefined, path);
  }
  const LINE =
    'community refuses the credential of its caller: SERVICE_KEYS must be the same for both (docs/configuration.md)';
  t.ok(explained(LINE).length >= 2);

  identity.on('POST /user/refresh_token', () => refusal(OURS));
  gateway.clock.ahead = EXPIRED;
  const answer = await browser.call('/api/cmt/plugin/user', { method: 'POST', body: '{}' });
  t.equal(answer.status, 502);
  t.ok(browser.cookies.has('session'), 'the session is kept');
  t.ok(explained('identity refuses the credential of its caller').length > 0);

  identity.on('GET /user/login/code/user', () => refusal(OURS));
  const signIn = await gateway
    .browser()
    .signIn()
    .catch((error: unknown) => String(error));
  t.match(JSON.stringify(signIn), /502|UPSTREAM_INVALID/);
});

t.test('a user service of another make refuses the client', async (t) => {
  const gateway = await startGateway(t, {
    credentials: { identity: clientAuthorization('square', 'wrong') },
  });
  const browser = gateway.browser();
  await browser.signIn();
  gateway.identity.on('POST /user/refresh_token', () =>
    stubAnswer(401, { error: 'invalid_client' }, { 'www-authenticate': 'Basic realm="users"' }),
  );
  gateway.clock.ahead = EXPIRED;
  t.equal((await browser.call('/api/cmt/plugin/user', { method: 'POST', body: '{}' })).status, 502);
  t.ok(browser.cookies.has('session'));
  t.match(
    gateway.logText(),
    'identity refuses USER_SERVICE_CLIENT_ID with USER_SERVICE_CLIENT_SECRET (docs/configuration.md)',
  );
  gateway.identity.on('POST /user/refresh_token', () => stubAnswer(400, { error: 'invalid_grant' }));
  t.equal((await browser.call('/api/cmt/plugin/user', { method: 'POST', body: '{}' })).status, 401);
  t.notOk(browser.cookies.has('session'), 'a refused token ends the session');
});

t.test('with our own user service', async (t) => {
  const { gateway, clock, logged, newPerson, signedIn } = await startBoth(t);
  gateway.community.on('POST /api/cmt/plugin/user', () => ({}));
  const person = await newPerson();
  const browser = await signedIn(person.email, person.password);
  const install = () => browser.call('/api/cmt/plugin/user', { method: 'POST', body: '{}' });
  t.equal((await install()).status, 200);
  for (const round of [1, 2, 3]) {
    gateway.clock.ahead = round * EXPIRED;
    clock.now = Date.now() + gateway.clock.ahead;
    const answers = await Promise.all([install(), install(), install()]);
    t.strictSame(
      answers.map(({ status }) => status),
      [200, 200, 200],
    );
  }
  t.notMatch(logged(), 'refresh_token_reuse');
  t.notMatch(logged(), 'service_credential_refused');
});
