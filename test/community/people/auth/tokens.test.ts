import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import t from 'tap';
import { openTokenReader } from '../../../../server/community/people/auth/token.ts';
import { ACCESS_TOKEN_AUDIENCE, ACCESS_TOKEN_ISSUER } from '../../../../shared/user-service.ts';
import { signToken, testCommunity } from '../../../support/community.ts';
import { portOf } from '../../../support/port.ts';
import { until } from '../../../support/until.ts';
import { ask } from '../../ask.ts';

t.test('tokens of a request', async (t) => {
  const community = await testCommunity(t);
  const { issuer, url } = community;
  const foreign = await generateKeyPair('EdDSA');
  const past = Math.floor(Date.now() / 1000) - 1;
  const unsigned = `${btoa('{"alg":"none"}')}.${btoa('{"sub":"1","role":1}')}.`.replaceAll('=', '');

  const refused: [title: string, authorization: string][] = [
    ['signed by another', `Bearer ${await signToken(foreign.privateKey, { role: 1 })}`],
    ['expired', `Bearer ${await issuer.sign({ exp: past })}`],
    ['of another issuer', `Bearer ${await issuer.sign({ iss: 'somebody' })}`],
    ['for another audience', `Bearer ${await issuer.sign({ aud: 'another-product' })}`],
    ['without an expiry', `Bearer ${await issuer.sign({ exp: undefined })}`],
    ['without a subject', `Bearer ${await issuer.sign({ sub: undefined })}`],
    ['of a subject that is no number', `Bearer ${await issuer.sign({ sub: 'ada' })}`],
    ['of a role that does not exist', `Bearer ${await issuer.sign({ role: 3 })}`],
    ['altered', `Bearer ${(await issuer.sign()).replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A'))}`],
    ['of no type', `Bearer ${await issuer.sign({}, {})}`],
    ['of the type of any token', `Bearer ${await issuer.sign({}, { typ: 'JWT' })}`],
    ['a logout token', `Bearer ${await issuer.sign({}, { typ: 'logout+jwt' })}`],
    ['unsigned', `Bearer ${unsigned}`],
    ['no token at all', 'Bearer nonsense'],
    ['empty', 'Bearer'],
  ];

  for (const [title, authorization] of refused) {
    t.test(`a token that is ${title} is refused, on open routes too`, async (t) => {
      for (const path of ['manager/verify', 'plugin/list']) {
        const answer = await ask(url, path, { headers: { authorization } });
        t.equal(answer.status, 401);
        t.strictSame(answer.json, { code: 'TOKEN_INVALID', message: 'The token is not valid.' });
        t.equal(answer.headers.get('www-authenticate'), 'Bearer error="invalid_token"');
      }
    });
  }

  t.test('the scheme is case-insensitive', async (t) => {
    const authorization = `bearer ${await issuer.sign()}`;
    t.equal((await ask(url, 'manager/verify', { headers: { authorization } })).status, 200);
  });

  t.test('the type may be a whole media type (RFC 9068 section 2.1)', async (t) => {
    const authorization = `Bearer ${await issuer.sign({}, { typ: 'application/at+jwt' })}`;
    t.equal((await ask(url, 'manager/verify', { headers: { authorization } })).status, 200);
  });

  t.test('a user service of another make need not set the type', async (t) => {
    const foreigner = await testCommunity(t, { publishRights: 'last-seen' });
    for (const header of [{}, { typ: 'JWT' }, { typ: 'at+jwt' }]) {
      const authorization = `Bearer ${await foreigner.issuer.sign({}, header)}`;
      const { status } = await ask(foreigner.url, 'manager/verify', { headers: { authorization } });
      t.equal(status, 200, JSON.stringify(header));
    }
  });

  t.test('unavailable keys are 503, not an invalid token', async (t) => {
    const lonely = await testCommunity(t, { jwksUrl: 'http://127.0.0.1:9/jwks' });
    const answer = await ask(lonely.url, 'plugin/list', { headers: await lonely.bearer(7) });
    t.equal(answer.status, 503);
    t.hasStrict(answer.json, { code: 'SERVICE_UNAVAILABLE' });
    t.equal((await ask(lonely.url, 'plugin/list')).status, 200);
  });
});

t.test('known tokens', async (t) => {
  const MINUTE = 60_000;
  const INVALID = { code: 'TOKEN_INVALID', message: 'The token is not valid.' };

  /** A key of an identity service, and what it has signed for a person for an hour from `now`. */
  async function newKey(kid: string) {
    const { publicKey, privateKey } = await generateKeyPair('EdDSA');
    const sign = (now: number): Promise<string> =>
      new SignJWT({ role: 1, nick_name: 'Ada', avatar_url: '' })
        .setProtectedHeader({ alg: 'EdDSA', kid, typ: 'at+jwt' })
        .setIssuer(ACCESS_TOKEN_ISSUER)
        .setAudience(ACCESS_TOKEN_AUDIENCE)
        .setSubject('7')
        .setExpirationTime(Math.floor(now / 1000) + 3600)
        .sign(privateKey);
    return { jwk: { ...(await exportJWK(publicKey)), kid, alg: 'EdDSA' }, sign };
  }

  async function openKeys(t: { teardown(handler: () => void): void }) {
    const published: { keys: unknown[] } = { keys: [] };
    const seen = { reads: 0, isBroken: false };
    const warnings: unknown[] = [];
    const server = createServer((_request, response) => {
      seen.reads += 1;
      response.statusCode = seen.isBroken ? 500 : 200;
      response.setHeader('content-type', 'application/json').end(JSON.stringify(published));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.teardown(() => {
      server.closeAllConnections();
      server.close();
    });
    const clock = { now: Date.now() };
    const warn = (...words: unknown[]): void => void warnings.push(words.at(-1));
    const { readToken: read } = openTokenReader(
      { url: `http://127.0.0.1:${portOf(server)}/jwks` },
      () => clock.now,
      {
        warn,
      },
    );
    return { published, seen, warnings, clock, read };
  }

  const isGood = (reading: Promise<unknown>): Promise<boolean> =>
    reading.then(
      () => true,
      () => false,
    );

  t.test('a cached token expires', async (t) => {
    const { published, clock, read } = await openKeys(t);
    const key = await newKey('one');
    published.keys = [key.jwk];
    const token = await key.sign(clock.now);
    t.equal((await read(token)).user_id, 7);
    clock.now = (Math.floor(clock.now / 1000) + 3600) * 1000 - 1;
    t.equal((await read(token)).user_id, 7);
    clock.now += 1;
    await t.rejects(read(token), INVALID);
  });

  t.test('a cached token ends with the key that signed it', async (t) => {
    const { published, seen, clock, read } = await openKeys(t);
    const [old, next] = [await newKey('old'), await newKey('next')];
    published.keys = [old.jwk];
    const token = await old.sign(clock.now);
    t.equal((await read(token)).user_id, 7);
    published.keys = [next.jwk];
    t.equal((await read(token)).user_id, 7, 'until the keys are read again');
    clock.now += 10 * MINUTE;
    await read(token);
    await until(async () => !(await isGood(read(token))));
    t.equal(seen.reads, 2);
    await t.rejects(read(token), INVALID);
    t.equal((await read(await next.sign(clock.now))).user_id, 7);
  });

  t.test('another token with the same claims is verified', async (t) => {
    const { published, clock, read } = await openKeys(t);
    const key = await newKey('one');
    published.keys = [key.jwk];
    const token = await key.sign(clock.now);
    await read(token);
    const [head, claims] = token.split('.');
    const [, , signature] = (await key.sign(clock.now + MINUTE)).split('.');
    await t.rejects(read(`${head}.${claims}.${signature}`), INVALID);
  });

  t.test('a failed refresh of the keys is logged once, and the known keys stay valid', async (t) => {
    const { published, seen, warnings, clock, read } = await openKeys(t);
    const key = await newKey('one');
    published.keys = [key.jwk];
    const token = await key.sign(clock.now + 365 * 24 * 60 * MINUTE);
    /** Goes on until the keys are read once more: not before the reading before that is over. */
    const readOnce = async (after: number) => {
      const { reads } = seen;
      await until(async () => {
        clock.now += after;
        t.equal((await read(token)).user_id, 7);
        return seen.reads > reads;
      });
    };
    await read(token);
    seen.isBroken = true;
    await readOnce(10 * MINUTE);
    await readOnce(10_000);
    await readOnce(10_000);
    const said = 'the keys of the sign-in service could not be refreshed; the known ones stay valid';
    await until(() => warnings.length > 0);
    t.strictSame(warnings, [said]);
    seen.isBroken = false;
    await readOnce(10_000);
    seen.isBroken = true;
    await readOnce(10 * MINUTE);
    await until(() => warnings.length > 1);
    t.strictSame(warnings, [said, said], 'and again when it begins again');
  });
});
