import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import {
  type Client,
  createClient,
  type DeviceCode,
  isClientError,
} from '../../../packages/client/src/index.ts';
import { folderStorage, signInByLoopback } from '../../../packages/client/src/node/index.ts';

const SITE = 'https://square.example';
const METADATA = {
  issuer: SITE,
  authorization_endpoint: `${SITE}/oauth/authorize`,
  token_endpoint: `${SITE}/oauth/token`,
  revocation_endpoint: `${SITE}/oauth/revoke`,
  device_authorization_endpoint: `${SITE}/oauth/device_authorization`,
};
const TOKENS = { access_token: 'access', refresh_token: 'refresh', expires_in: 900 };
const DEVICE = {
  device_code: 'the-device',
  user_code: 'BCDF-GHJK',
  verification_uri: `${SITE}/device`,
  verification_uri_complete: `${SITE}/device?user_code=BCDF-GHJK`,
  expires_in: 60,
};

type Answer = { status?: number; body: unknown } | 'unreachable';

/** A tool, and a server that answers its questions for a token in turn. Waiting moves the clock. */
function newTool({
  metadata = METADATA as object,
  device = DEVICE as object,
  answers = [] as Answer[],
} = {}) {
  const waited: number[] = [];
  const forms: Record<string, string>[] = [];
  let now = 1_700_000_000_000;
  const answerTo = (path: string, body: string): Answer => {
    if (path === '/.well-known/oauth-authorization-server') return { body: metadata };
    forms.push(Object.fromEntries(new URLSearchParams(body)));
    return path === '/oauth/device_authorization' ? { body: device } : (answers.shift() ?? { body: TOKENS });
  };
  const client = createClient({
    site: `${SITE}/`,
    clientId: 'canvas',
    now: () => now,
    wait: async (milliseconds, signal) => {
      signal?.throwIfAborted();
      waited.push(milliseconds / 1000);
      now += milliseconds;
    },
    fetch: async (input, init) => {
      const answer = answerTo(String(input).replace(SITE, ''), String(init?.body));
      if (answer === 'unreachable') throw new TypeError('fetch failed');
      return Response.json(answer.body, { status: answer.status ?? 200 });
    },
  });
  return { client, waited, forms };
}

const refusal = (error: string): Answer => ({ status: 400, body: { error } });
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'no failure',
    (error: unknown) =>
      isClientError(error) ? [error.code, error.reason].filter(Boolean).join(' ') : String(error),
  );

t.test('by a code on another device', async (t) => {
  const signIn = (client: Client, more: { signal?: AbortSignal } = {}) => {
    const shown: DeviceCode[] = [];
    const done = client.signInByDevice({
      scope: ['plugins:read'],
      onCode: (code) => shown.push(code),
      ...more,
    });
    return { shown, done };
  };

  t.test('asks as often as the site allows', async (t) => {
    const { client, waited, forms } = newTool({
      device: { ...DEVICE, interval: 2 },
      answers: [
        refusal('authorization_pending'),
        refusal('slow_down'),
        'unreachable',
        refusal('authorization_pending'),
      ],
    });
    const { shown, done } = signIn(client);
    await done;
    t.equal(await client.isSignedIn(), true);
    t.strictSame(shown, [
      {
        userCode: 'BCDF-GHJK',
        verificationUri: `${SITE}/device`,
        verificationUriComplete: `${SITE}/device?user_code=BCDF-GHJK`,
        expiresAt: 1_700_000_060_000,
      },
    ]);
    t.strictSame(waited, [2, 2, 7, 12, 12], 'five seconds more after slow_down, and after a failure');
    t.strictSame(forms[0], { client_id: 'canvas', scope: 'openid plugins:read' });
    t.strictSame(forms[1], {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      client_id: 'canvas',
      device_code: 'the-device',
    });
  });

  t.test('five seconds without an interval, and not beyond the end', async (t) => {
    const pending = Array.from({ length: 20 }, () => refusal('authorization_pending'));
    const { client, waited } = newTool({ answers: pending });
    t.equal(await codeOf(signIn(client).done), 'SIGN_IN_EXPIRED');
    t.strictSame(
      waited,
      Array.from({ length: 12 }, () => 5),
    );
    const ended = newTool({ answers: [refusal('expired_token')] });
    t.equal(await codeOf(signIn(ended.client).done), 'SIGN_IN_EXPIRED');
  });

  t.test('refused, cancelled, or not there', async (t) => {
    const refused = newTool({ answers: [refusal('access_denied')] });
    t.equal(await codeOf(signIn(refused.client).done), 'SIGN_IN_REFUSED access_denied');
    const signal = AbortSignal.abort(new Error('cancelled'));
    t.equal(await codeOf(signIn(newTool().client, { signal }).done), 'Error: cancelled');
    const { device_authorization_endpoint: _, ...metadata } = METADATA;
    t.equal(await codeOf(signIn(newTool({ metadata }).client).done), 'SITE_FAILED no device authorization');
  });
});

t.test('metadata of another server, or with an endpoint elsewhere, is refused', async (t) => {
  for (const changed of [
    { issuer: 'https://thief.example' },
    { token_endpoint: 'https://thief.example/token' },
    { revocation_endpoint: 'http://square.example/oauth/revoke' },
    { authorization_endpoint: undefined },
  ]) {
    const { client } = newTool({ metadata: { ...METADATA, ...changed } });
    const begun = client.beginSignIn({ redirectUri: 'http://127.0.0.1/callback', scope: [] });
    t.equal(await codeOf(begun), 'SITE_INVALID', JSON.stringify(changed));
  }
});

t.test('by the browser and a port of this device', async (t) => {
  const { client, forms } = newTool();
  let redirectUri = '';
  let text = '';
  await signInByLoopback(client, {
    scope: ['plugins:read'],
    done: 'Back to Canvas.',
    async open(url) {
      const { origin, pathname, searchParams } = new URL(url);
      t.equal(origin + pathname, `${SITE}/oauth/authorize`);
      t.equal(searchParams.get('scope'), 'openid plugins:read');
      t.equal(searchParams.get('code_challenge_method'), 'S256');
      redirectUri = searchParams.get('redirect_uri') ?? '';
      t.equal((await fetch(new URL('/favicon.ico', redirectUri))).status, 404);
      const query = new URLSearchParams({ code: 'c0de', state: searchParams.get('state') ?? '', iss: SITE });
      text = await (await fetch(`${redirectUri}?${query}`)).text();
    },
  });
  t.equal(text, 'Back to Canvas.');
  t.match(redirectUri, /^http:\/\/127\.0\.0\.1:\d+\/callback$/);
  t.match(forms[0], { grant_type: 'authorization_code', code: 'c0de', redirect_uri: redirectUri });
  t.match(forms[0]?.code_verifier, /^[\w-]{43}$/);
  await t.rejects(fetch(redirectUri), 'the port is closed');
  const signal = AbortSignal.abort(new Error('cancelled'));
  const cancelled = signInByLoopback(client, { scope: [], open: () => undefined, signal });
  t.equal(await codeOf(cancelled), 'Error: cancelled');
});

t.test('a folder keeps values across programs, for this user alone', async (t) => {
  const parent = await mkdtemp(join(tmpdir(), 'client-'));
  t.teardown(() => rm(parent, { recursive: true, force: true }));
  const folder = join(parent, 'cache');
  t.strictSame(await folderStorage(folder).names(), [], 'before there is one');
  t.equal(await folderStorage(folder).get('tokens'), undefined);
  await folderStorage(folder).set('package/abc', new Uint8Array([1, 2]));
  await folderStorage(folder).set('package/abc', new Uint8Array([3]));
  t.strictSame(await folderStorage(folder).get('package/abc'), new Uint8Array([3]));
  t.equal((await stat(folder)).mode & 0o777, 0o700);
  const [file = '', ...others] = await readdir(folder);
  t.strictSame(others, [], 'nothing unfinished stays');
  t.equal((await stat(join(folder, file))).mode & 0o777, 0o600);
  await writeFile(join(folder, `${file}.x.tmp`), 'of a program that was stopped');
  t.strictSame(await folderStorage(folder).names(), ['package/abc']);
  await folderStorage(folder).delete('package/abc');
  await folderStorage(folder).delete('package/abc');
  t.strictSame(await folderStorage(folder).names(), []);
});
