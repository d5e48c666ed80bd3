import { once } from 'node:events';
import { createServer } from 'node:http';
import t from 'tap';
import { createIdentityClient } from '../../../../server/community/people/auth/owner-rights.ts';
import { toolAudience } from '../../../../shared/user-service.ts';
import { testCommunity } from '../../../support/community.ts';
import { portOf } from '../../../support/port.ts';

const SITE = 'https://square.example';
const NOTHING = { sid_list: [], client_list: [], has_more: false };
const OF_TOOL = {
  iss: SITE,
  aud: toolAudience(SITE),
  client_id: 'canvas',
  sid: 'session-of-canvas',
  scope: 'plugins:read plugins:install',
};

t.test('tools call with access tokens of their own', async (t) => {
  const { app, issuer } = await testCommunity(t, { toolIssuer: SITE });
  const call = async (
    method: 'GET' | 'POST' | 'DELETE',
    url: string,
    claims: Record<string, unknown>,
    header?: { typ: string },
  ) => {
    const token = await issuer.sign({ ...OF_TOOL, ...claims }, header);
    const answer = await app.inject({ method, url, headers: { authorization: `Bearer ${token}` } });
    return {
      status: answer.statusCode,
      code: answer.json().code,
      challenge: answer.headers['www-authenticate'],
    };
  };
  const INSTALLED = '/api/cmt/plugin/user/list?page=1&page_size=10';

  t.test('within the scopes that the user has allowed', async (t) => {
    t.match(await call('GET', INSTALLED, {}), { status: 200, code: 0 });
    t.strictSame(await call('GET', INSTALLED, { scope: 'plugins:install' }), {
      status: 403,
      code: 'FORBIDDEN',
      challenge: 'Bearer error="insufficient_scope", scope="plugins:read"',
    });
    t.strictSame(await call('POST', '/api/cmt/plugin', { role: 1 }), {
      status: 403,
      code: 'FORBIDDEN',
      challenge: 'Bearer error="insufficient_scope", scope="plugins:publish"',
    });
  });

  t.test('never what is not for tools, whatever the role of the user', async (t) => {
    for (const [method, url] of [
      ['GET', '/api/cmt/manager/plugin/list?page=1&page_size=10'],
      ['DELETE', '/api/cmt/plugin?plugin_key=x'],
      ['GET', '/api/cmt/plugin/token/list'],
      ['GET', '/api/cmt/plugin/tag/list'],
    ] as const)
      t.strictSame(
        await call(method, url, { role: 1, scope: 'plugins:read plugins:install plugins:publish' }),
        { status: 403, code: 'FORBIDDEN', challenge: 'Bearer error="insufficient_scope"' },
        `${method} ${url}`,
      );
  });

  t.test('a token for somebody else, or of another kind, is not one', async (t) => {
    for (const claims of [
      { aud: 'plugin-square' },
      { aud: 'canvas' },
      { iss: 'https://thief.example' },
      { client_id: undefined },
      { sid: undefined },
      { scope: undefined },
      { iss: 'plugin-square-identity' },
    ])
      t.match(
        await call('GET', INSTALLED, claims),
        { status: 401, code: 'TOKEN_INVALID' },
        JSON.stringify(claims),
      );
    t.match(
      await call('GET', INSTALLED, {}, { typ: 'JWT' }),
      { status: 401, code: 'TOKEN_INVALID' },
      'an ID token',
    );
  });

  t.test('not any more once it was disconnected or removed', async (t) => {
    const list = app.community.endedTools;
    const issuedAt = Math.floor(Date.now() / 1000) * 1000;
    const told = { sid_list: ['one-session'], client_list: [{ client_id: 'easel', removed_at: issuedAt }] };
    const questions: unknown[] = [];
    const server = createServer(async (request, response) => {
      questions.push(JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString()));
      const data =
        questions.length === 1 ? { ...told, next: 5, has_more: true } : { ...NOTHING, next: 90_000 };
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ code: 0, message: '', data }));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.teardown(() => server.close());
    const ask = createIdentityClient({ identityUrl: `http://127.0.0.1:${portOf(server)}` });
    t.match(await call('GET', INSTALLED, { sid: 'one-session' }), { status: 200 });
    await list.update(ask);
    await list.update(ask);
    t.strictSame(
      questions,
      [{ since: 0 }, { since: 5 }, { since: 30_000 }],
      'the rest at once, then what overlaps',
    );
    const refused = { status: 401, code: 'TOKEN_INVALID', challenge: 'Bearer error="invalid_token"' };
    t.strictSame(await call('GET', INSTALLED, { sid: 'one-session' }), refused);
    t.match(await call('GET', INSTALLED, {}), { status: 200 }, 'another session of the tool');
    const iat = issuedAt / 1000;
    t.strictSame(await call('GET', INSTALLED, { client_id: 'easel', iat }), refused);
    t.match(
      await call('GET', INSTALLED, { client_id: 'easel', iat: iat + 1 }),
      { status: 200 },
      'registered again',
    );
  });

  t.test('a session of the site is limited by the scopes in its token, if there are any', async (t) => {
    const ofSite = { iss: 'plugin-square-identity', aud: 'plugin-square', client_id: undefined, role: 1 };
    const scope = 'plugins:read plugins:install';
    const MANAGED = '/api/cmt/manager/plugin/list?page=1&page_size=10';
    t.match(await call('GET', INSTALLED, { ...ofSite, scope }), { status: 200 });
    t.match(await call('GET', '/api/cmt/plugin/list', { ...ofSite, scope }), { status: 200 });
    t.strictSame(await call('GET', MANAGED, { ...ofSite, scope }), {
      status: 403,
      code: 'FORBIDDEN',
      challenge: 'Bearer error="insufficient_scope"',
    });
    t.match(await call('GET', MANAGED, { ...ofSite, scope: undefined }), { status: 200 });
    t.match(
      await call('GET', MANAGED, { ...ofSite, scope: 'openid profile' }),
      { status: 200 },
      'words of another service',
    );
  });

  t.test('where there are no tools, none of their tokens', async (t) => {
    const { app } = await testCommunity(t, { jwksUrl: issuer.jwksUrl });
    const authorization = `Bearer ${await issuer.sign(OF_TOOL)}`;
    t.equal((await app.inject({ url: INSTALLED, headers: { authorization } })).statusCode, 401);
  });
});
