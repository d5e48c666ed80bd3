import { createLocalJWKSet, jwtVerify } from 'jose';
import t from 'tap';
import { readOauthClients } from '../../../server/identity/oauth/clients.ts';
import type { DataOf } from '../../../shared/route.ts';
import type { oauthRoutes } from '../../../shared/routes/oauth.ts';
import { JWKS_PATH } from '../../../shared/user-service.ts';
import { ask, newPerson, PUBLIC_URL, testIdentity } from '../../support/identity.ts';
import { GATEWAY_TO_IDENTITY } from '../../support/service-keys.ts';
import {
  answer,
  authorize,
  begin,
  browse,
  exchangeForm,
  post,
  proofKey,
  REDIRECT_URI,
  refreshForm,
  TOOL,
} from '../../support/tool.ts';

t.test('without tools nobody is let in', async (t) => {
  const { app } = await testIdentity(t);
  const { location } = await browse(app, begin().url, {});
  t.equal(location.href, `${PUBLIC_URL}/plugins/oauth?error=invalid_client`);
  const { access } = await newPerson(app);
  const { body } = await ask(app, 'GET /user/tool/list', { bearer: access });
  t.strictSame(body.data, { tool_list: [], is_offered: false });
});

t.test('tools are read from the setting', async (t) => {
  t.strictSame(readOauthClients(undefined), []);
  t.strictSame(readOauthClients(JSON.stringify([TOOL])), [TOOL]);
  for (const [text, message] of [
    ['{', 'OAUTH_CLIENTS is not JSON.'],
    ['{}', 'OAUTH_CLIENTS must be a JSON array with one object for each tool.'],
    [JSON.stringify([TOOL, { ...TOOL, client_secret: 'x' }]), 'OAUTH_CLIENTS: tool 2 is not valid.'],
    [JSON.stringify([TOOL, TOOL]), 'OAUTH_CLIENTS has two tools called "canvas".'],
  ] as const)
    t.throws(() => readOauthClients(text), new Error(message), text);
  const bad = { ...TOOL, redirect_uris: ['http://elsewhere.example/'] };
  await t.rejects(
    testIdentity(t, { oauthClients: [bad] }),
    { message: /^OAUTH_CLIENTS: the tool "canvas" is not valid: redirect_uris / },
    'an address that is neither https nor of this device',
  );
});

t.test('a tool acts for a user', async (t) => {
  const { app, db, clock, startAnother } = await testIdentity(t, { oauthClients: [TOOL] });
  const other = await startAnother();
  const sessionsOf = async (bearer: string) => {
    const { body } = await ask(app, 'GET /user/session/list', { bearer });
    return body.data.session_list as { sid: string; browser: string; is_current: boolean }[];
  };

  const toolsOf = async (bearer: string) => {
    const { body } = await ask(app, 'GET /user/tool/list', { bearer });
    return body.data as DataOf<typeof oauthRoutes.listConnectedTools>;
  };

  t.test('discovery names the site and what it can do', async (t) => {
    for (const kind of ['openid-configuration', 'oauth-authorization-server']) {
      const reply = await app.inject({
        url: `/.well-known/${kind}`,
        headers: {
          authorization: GATEWAY_TO_IDENTITY,
          host: 'inside',
        },
      });
      t.match(reply.json(), {
        issuer: PUBLIC_URL,
        authorization_endpoint: `${PUBLIC_URL}/oauth/authorize`,
        token_endpoint: `${PUBLIC_URL}/oauth/token`,
        pushed_authorization_request_endpoint: `${PUBLIC_URL}/oauth/par`,
        revocation_endpoint: `${PUBLIC_URL}/oauth/revoke`,
        jwks_uri: `${PUBLIC_URL}${JWKS_PATH}`,
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
        response_types_supported: ['code'],
      });
    }
  });

  t.test('a code becomes tokens for our API, and a line among the tools', async (t) => {
    const person = await newPerson(app);
    const given = await authorize(app, person.access);
    t.equal(given.back.origin + given.back.pathname, REDIRECT_URI, 'any port of this device');
    t.equal(given.back.searchParams.get('state'), 'the-state');
    t.equal(given.back.searchParams.get('iss'), PUBLIC_URL);
    const { status, body } = await post(other, '/oauth/token', exchangeForm(given));
    t.equal(status, 200);
    t.match(body, { token_type: 'Bearer', expires_in: 900, scope: 'plugins:read plugins:install' });
    const keys = createLocalJWKSet((await app.inject({ url: JWKS_PATH })).json());
    const { payload } = await jwtVerify(String(body.access_token), keys, {
      issuer: PUBLIC_URL,
      audience: `${PUBLIC_URL}/api/cmt`,
      typ: 'at+jwt',
    });
    const [line] = (await toolsOf(person.access)).tool_list;
    const { sid } = await db
      .selectFrom('session')
      .select('sid')
      .where('user_id', '=', person.userId)
      .where('client_id', '=', 'canvas')
      .executeTakeFirstOrThrow();
    t.match(payload, {
      sub: String(person.userId),
      client_id: 'canvas',
      scope: 'plugins:read plugins:install',
      sid,
      role: 0,
    });
    const userInfo = await ask(app, 'GET /user/userinfo', { bearer: String(body.access_token) });
    t.equal(userInfo.body.code, 'TOKEN_INVALID', 'not a token of the site');
    t.match(line, {
      client_id: 'canvas',
      client_name: 'Canvas',
      client_uri: 'https://canvas.example/',
      scope_list: ['plugins:read', 'plugins:install'],
      connections: 1,
    });
    t.equal((await sessionsOf(person.access)).length, 1, 'the device is another list');
    await ask(app, 'POST /user/session/sign_out', { bearer: person.access, body: { sid } });
    const after = await post(app, '/oauth/token', refreshForm(body.refresh_token));
    t.match(after, { status: 400, body: { error: 'invalid_grant' } }, 'it ends with that line');
  });

  t.test('the user disconnects a tool from all devices, and nobody else does', async (t) => {
    const person = await newPerson(app);
    const stranger = await newPerson(app);
    t.strictSame(await toolsOf(person.access), { tool_list: [], is_offered: true });
    const connect = async (more: Record<string, string>) => {
      const answered = await post(
        app,
        '/oauth/token',
        exchangeForm(await authorize(app, person.access, more)),
      );
      return refreshForm(answered.body.refresh_token);
    };
    const first = await connect({ scope: 'plugins:read' });
    const since = new Date(clock.now).toISOString();
    clock.now += 60_000;
    const { access } = person;
    const second = await connect({ scope: 'plugins:install' });
    const { tool_list } = await toolsOf(access);
    t.equal(tool_list.length, 1, 'one line a tool');
    t.match(tool_list[0], {
      scope_list: ['plugins:read', 'plugins:install'],
      connected_at: since,
      last_active_at: new Date(clock.now).toISOString(),
      connections: 2,
    });
    const disconnect = (bearer: string) =>
      ask(app, 'POST /user/tool/disconnect', { bearer, body: { client_id: 'canvas' } });
    t.equal((await disconnect(stranger.access)).status, 200, 'of their own');
    t.equal((await post(app, '/oauth/token', first)).status, 200);
    t.equal((await disconnect(access)).status, 200);
    t.strictSame((await toolsOf(access)).tool_list, []);
    t.equal((await sessionsOf(access)).length, 1);
    for (const form of [first, second])
      t.match(await post(other, '/oauth/token', form), { status: 400, body: { error: 'invalid_grant' } });
    t.equal((await disconnect(access)).status, 200, 'once more');
  });

  t.test('the user reads what is asked, and may refuse', async (t) => {
    const person = await newPerson(app);
    const cookies: Record<string, string> = {};
    const { location } = await browse(app, begin().url, cookies);
    const uid = location.searchParams.get('request') ?? '';
    const read = (headers: Record<string, string>) =>
      ask(app, `GET /user/tool/request/${uid}`, { bearer: person.access, headers });
    const cookie = Object.entries(cookies)
      .map((pair) => pair.join('='))
      .join('; ');
    t.strictSame((await read({ cookie })).body.data, {
      client_name: 'Canvas',
      client_uri: 'https://canvas.example/',
      scope_list: ['plugins:read', 'plugins:install'],
      needs_sign_in: false,
    });
    const elsewhere = await read({});
    t.match(elsewhere, { status: 400, body: { code: 'TOOL_REQUEST_INVALID' } }, 'in another browser');
    const refused = await answer(app, { uid, cookies, bearer: person.access }, 'refuse');
    const back = await browse(app, String(refused.body.data.continue_to).replace(PUBLIC_URL, ''), cookies);
    t.equal(back.location.searchParams.get('error'), 'access_denied');
    t.equal((await toolsOf(person.access)).tool_list.length, 0);
  });

  t.test('a request for a new sign-in is not answered by an old one', async (t) => {
    const person = await newPerson(app);
    const authenticated_at = new Date(Date.now() - 120_000);
    await db.updateTable('session').set({ authenticated_at }).where('user_id', '=', person.userId).execute();
    for (const more of [{ max_age: '60' }, { prompt: 'login' }]) {
      const cookies: Record<string, string> = {};
      const { location } = await browse(app, begin(more).url, cookies);
      const uid = location.searchParams.get('request') ?? '';
      const refused = await answer(app, { uid, cookies, bearer: person.access }, 'allow');
      t.match(refused, { status: 403, body: { code: 'REAUTHENTICATION_REQUIRED' } }, JSON.stringify(more));
    }
  });

  t.test('what is not registered goes to an error page of ours, not to the address', async (t) => {
    for (const [more, error] of [
      [{ client_id: 'unknown' }, 'invalid_client'],
      [{ redirect_uri: 'https://thief.example/' }, 'invalid_redirect_uri'],
    ] as const) {
      const { status, location } = await browse(app, begin(more).url, {});
      t.equal(status, 302);
      t.equal(location.href, `${PUBLIC_URL}/plugins/oauth?error=${error}`);
    }
    const plain = await browse(app, begin({ code_challenge_method: 'plain' }).url, {});
    t.equal(plain.location.searchParams.get('error'), 'invalid_request', 'a challenge must be S256');
    const more = await browse(app, begin({ scope: 'plugins:publish' }).url, {});
    t.equal(more.location.searchParams.get('error'), 'invalid_scope', 'a scope of another tool');
  });

  t.test('a request can be pushed, and comes back by a private-use scheme', async (t) => {
    const person = await newPerson(app);
    const { url, verifier } = begin({ redirect_uri: 'com.example.canvas:/callback' });
    const pushed = await post(app, '/oauth/par', Object.fromEntries(new URL(url, PUBLIC_URL).searchParams));
    t.equal(pushed.status, 201);
    const cookies: Record<string, string> = {};
    const query = new URLSearchParams({ client_id: 'canvas', request_uri: String(pushed.body.request_uri) });
    const { location } = await browse(other, `/oauth/authorize?${query}`, cookies);
    const uid = location.searchParams.get('request') ?? '';
    const allowed = await answer(app, { uid, cookies, bearer: person.access }, 'allow');
    const back = await browse(app, String(allowed.body.data.continue_to).replace(PUBLIC_URL, ''), cookies);
    t.equal(back.location.protocol, 'com.example.canvas:');
    const code = back.location.searchParams.get('code') ?? '';
    const form = { ...exchangeForm({ code, verifier }), redirect_uri: 'com.example.canvas:/callback' };
    t.equal((await post(app, '/oauth/token', form)).status, 200);
  });

  t.test('revoking a token ends the session', async (t) => {
    const person = await newPerson(app);
    const { body } = await post(app, '/oauth/token', exchangeForm(await authorize(app, person.access)));
    t.equal((await toolsOf(person.access)).tool_list.length, 1);
    t.equal((await post(app, '/oauth/revoke', { token: String(body.refresh_token) })).status, 200);
    t.equal((await toolsOf(person.access)).tool_list.length, 0);
  });

  t.test('ids are hashed, the rest is encrypted', async (t) => {
    const person = await newPerson(app);
    const { body } = await post(app, '/oauth/token', exchangeForm(await authorize(app, person.access)));
    const rows = await db.selectFrom('oauth_state').selectAll().execute();
    t.ok(rows.length > 0);
    const text = JSON.stringify(rows.map((row) => ({ ...row, id_hash: row.id_hash.toString('latin1') })));
    t.notMatch(text, String(body.refresh_token));
    t.notMatch(text, 'accountId');
  });

  t.test('two processes', async (t) => {
    const processes = (count: number) => Array.from({ length: count }, (_, at) => (at % 2 ? other : app));

    t.test('one of two exchanges of a code succeeds', async (t) => {
      const person = await newPerson(app);
      const form = exchangeForm(await authorize(app, person.access));
      const answers = await Promise.all(processes(8).map((service) => post(service, '/oauth/token', form)));
      t.equal(answers.filter(({ status }) => status === 200).length, 1);
      for (const { body } of answers.filter(({ status }) => status !== 200))
        t.equal(body.error, 'invalid_grant');
    });

    t.test('a used code ends the session of its first use', async (t) => {
      const person = await newPerson(app);
      const form = exchangeForm(await authorize(app, person.access));
      const first = await post(app, '/oauth/token', form);
      t.match(await post(other, '/oauth/token', form), { status: 400, body: { error: 'invalid_grant' } });
      const refreshed = await post(app, '/oauth/token', refreshForm(first.body.refresh_token));
      t.match(refreshed, { status: 400, body: { error: 'invalid_grant' } });
      t.equal((await toolsOf(person.access)).tool_list.length, 0);
    });

    t.test('ten refreshes at once succeed, a later one ends the session', async (t) => {
      const person = await newPerson(app);
      const { body } = await post(app, '/oauth/token', exchangeForm(await authorize(app, person.access)));
      const form = refreshForm(body.refresh_token);
      const answers = await Promise.all(processes(10).map((service) => post(service, '/oauth/token', form)));
      t.strictSame(new Set(answers.map(({ status }) => status)), new Set([200]));
      clock.now += 10_000;
      const replayed = await post(other, '/oauth/token', form);
      t.match(replayed, { status: 400, body: { error: 'invalid_grant' } });
      const next = await post(app, '/oauth/token', refreshForm(answers[0]?.body.refresh_token));
      t.match(next, { status: 400, body: { error: 'invalid_grant' } }, 'nobody knows who was first');
      t.equal((await toolsOf(person.access)).tool_list.length, 0);
    });

    t.test('a proof of possession works once, and binds the tokens to its key', async (t) => {
      const person = await newPerson(app);
      const { prove } = await proofKey();
      const codes = [];
      for (let at = 0; at < 4; at += 1) codes.push(exchangeForm(await authorize(app, person.access)));
      const dpop = await prove('/oauth/token', 'the-same-proof');
      const answers = await Promise.all(
        codes.map((form, at) => post(at % 2 ? other : app, '/oauth/token', form, { dpop })),
      );
      const [right, ...more] = answers.filter(({ status }) => status === 200);
      t.equal(right?.body.token_type, 'DPoP');
      t.equal(more.length, 0);
      const form = refreshForm(right?.body.refresh_token);
      const bare = await post(app, '/oauth/token', form);
      t.match(bare, { status: 400, body: { error: 'invalid_grant' } }, 'without a proof');
      const strange = await (await proofKey()).prove('/oauth/token', 'of-a-stranger');
      t.equal((await post(app, '/oauth/token', form, { dpop: strange })).status, 400, 'with another key');
      const elsewhere = await prove('/oauth/par', 'of-another-endpoint');
      t.equal((await post(app, '/oauth/token', form, { dpop: elsewhere })).status, 400);
      const good = await prove('/oauth/token', 'a-new-proof');
      t.equal((await post(app, '/oauth/token', form, { dpop: good })).status, 200);
    });
  });
});
