import t from 'tap';
import { ROLE_ADMIN } from '../../../shared/constants.ts';
import type { ManagedTool } from '../../../shared/routes/tool.ts';
import { DEVICE_CODE_GRANT } from '../../../shared/tool-metadata.ts';
import { ask, exchange, newPerson, signUp, testIdentity } from '../../support/identity.ts';
import { COMMUNITY_TO_IDENTITY, GATEWAY_TO_IDENTITY } from '../../support/service-keys.ts';
import { authorize, begin, browse, exchangeForm, post, refreshForm, TOOL } from '../../support/tool.ts';

const EASEL = {
  client_id: 'easel',
  client_name: 'Easel',
  client_uri: 'https://easel.example/',
  redirect_uris: ['http://127.0.0.1/callback', 'com.example.easel:/callback', 'https://easel.example/back'],
  grant_types: ['authorization_code'],
  scope_list: ['plugins:read', 'plugins:install'],
};

t.test('administrators register tools', async (t) => {
  const { app, db, clock, logged, startAnother } = await testIdentity(t, { oauthClients: [TOOL] });
  const other = await startAnother();
  const { password, code } = await signUp(app);
  const admin = await exchange(app, code);
  const PROOF = { password };
  await db.updateTable('account').set({ role: ROLE_ADMIN }).where('user_id', '=', admin.userId).execute();
  const send = (call: string, body: object) => ask(app, call, { bearer: admin.access, body });
  const listed = async () => {
    const { body } = await ask(other, 'GET /user/tool/client/list', { bearer: admin.access });
    return body.data.tool_list as ManagedTool[];
  };
  const connect = async (bearer: string) => {
    const given = await authorize(other, bearer, { client_id: 'easel' });
    const { body } = await post(app, '/oauth/token', { client_id: 'easel', ...exchangeForm(given) });
    return body;
  };
  const refresh = (token: unknown) =>
    post(other, '/oauth/token', { client_id: 'easel', ...refreshForm(token) });

  t.test('only with a proof of who they are', async (t) => {
    for (const [call, body] of [
      ['POST /user/tool/client', EASEL],
      ['PUT /user/tool/client', EASEL],
      ['POST /user/tool/client/remove', { client_id: 'easel' }],
    ] as const) {
      t.match(await send(call, body), { status: 403, body: { code: 'REAUTHENTICATION_REQUIRED' } }, call);
      const wrong = { ...body, password: 'not this one' };
      t.match(await send(call, wrong), { status: 422, body: { code: 'PASSWORD_WRONG' } }, call);
    }
    await db.deleteFrom('attempt').execute();
    t.equal(await db.selectFrom('tool').select('client_id').executeTakeFirst(), undefined);
  });

  t.test('whose addresses lead to the tool and not elsewhere', async (t) => {
    const wrong = await send('POST /user/tool/client', {
      ...EASEL,
      redirect_uris: [
        'http://127.0.0.1/callback',
        'http://easel.example/',
        'javascript:alert(1)',
        'https://localhost/',
        'https://easel.example/#part',
        'no address',
      ],
      ...PROOF,
    });
    t.match(wrong, { status: 422, body: { code: 'REDIRECT_ADDRESS_INVALID' } });
    t.strictSame(
      wrong.body.errors?.map(({ pointer }) => pointer),
      [1, 2, 3, 4, 5].map((index) => `/redirect_uris/${index}`),
    );
    const none = await send('POST /user/tool/client', { ...EASEL, redirect_uris: [], ...PROOF });
    t.match(none, { status: 422, body: { errors: [{ pointer: '/redirect_uris', message: 'is empty' }] } });
    const home = await send('POST /user/tool/client', { ...EASEL, client_uri: 'https://:', ...PROOF });
    t.match(home, { status: 400, body: { code: 'VALIDATION_FAILED', errors: [{ pointer: '/client_uri' }] } });
  });

  t.test('under an id that no other has', async (t) => {
    t.strictSame(await send('POST /user/tool/client', { ...EASEL, ...PROOF }).then(({ body }) => body.data), {
      ...EASEL,
      is_configured: false,
      people: 0,
      last_active_at: null,
    });
    const again = { status: 409, body: { code: 'TOOL_EXISTS' } };
    t.match(await send('POST /user/tool/client', { ...EASEL, ...PROOF }), again);
    t.match(await send('POST /user/tool/client', { ...EASEL, client_id: 'canvas', ...PROOF }), again);
    const lines = (await listed()).map(({ client_id, is_configured }) => [client_id, is_configured]);
    t.strictSame(lines, [
      ['canvas', true],
      ['easel', false],
    ]);
  });

  t.test('that users can connect at once, at every instance', async (t) => {
    const [one, two] = [await newPerson(app), await newPerson(app)];
    const first = await connect(one.access);
    t.match(first, { token_type: 'Bearer', scope: 'plugins:read plugins:install' });
    await connect(one.access);
    clock.now += 60_000;
    await connect(two.access);
    const line = (await listed()).find(({ client_id }) => client_id === 'easel');
    t.match(line, { people: 2, last_active_at: new Date(clock.now).toISOString() });
    const { body } = await ask(app, 'GET /user/tool/list', { bearer: one.access });
    t.match(body.data, { is_offered: true, tool_list: [{ client_name: 'Easel', connections: 2 }] });
  });

  t.test('and change: what it loses is gone with the next token', async (t) => {
    const person = await newPerson(app);
    const { refresh_token } = await connect(person.access);
    const changed = { ...EASEL, client_name: 'Easel 2', scope_list: ['plugins:read'], ...PROOF };
    t.match(await send('PUT /user/tool/client', changed), { status: 200, body: { data: { people: 3 } } });
    t.match(await refresh(refresh_token), { status: 200, body: { scope: 'plugins:read' } });
    const { body } = await ask(app, 'GET /user/tool/list', { bearer: person.access });
    t.match(body.data.tool_list, [{ client_name: 'Easel 2', scope_list: ['plugins:read'] }]);
    const asked = await browse(app, begin({ client_id: 'easel' }).url, {});
    t.equal(asked.location.searchParams.get('error'), 'invalid_scope');
    const missing = { status: 404, body: { code: 'NOT_FOUND' } };
    t.match(await send('PUT /user/tool/client', { ...EASEL, client_id: 'none', ...PROOF }), missing);
    t.match(await send('PUT /user/tool/client', { ...EASEL, client_id: 'canvas', ...PROOF }), missing);
    t.equal((await send('PUT /user/tool/client', { ...EASEL, ...PROOF })).status, 200);
  });

  t.test('a device needs no address to come back to', async (t) => {
    const lamp = { ...EASEL, client_id: 'lamp', redirect_uris: [], grant_types: [DEVICE_CODE_GRANT] };
    t.equal((await send('POST /user/tool/client', { ...lamp, ...PROOF })).status, 200);
    const form = { client_id: 'lamp', scope: 'plugins:read' };
    t.equal((await post(app, '/oauth/device_authorization', form)).status, 200);
    t.equal((await send('POST /user/tool/client/remove', { client_id: 'lamp', ...PROOF })).status, 200);
  });

  t.test('a removed tool can do nothing more, and does not come back by its id', async (t) => {
    const person = await newPerson(app);
    const { refresh_token } = await connect(person.access);
    const waiting = await authorize(app, person.access, { client_id: 'easel' });
    const gone = await send('POST /user/tool/client/remove', { client_id: 'easel', ...PROOF });
    t.match(gone, { status: 200, body: { data: { people: 4 } } });
    t.match(await refresh(refresh_token), { status: 401, body: { error: 'invalid_client' } });
    const { headers } = await app.inject({
      method: 'POST',
      url: '/oauth/token',
      headers: { authorization: GATEWAY_TO_IDENTITY, 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ client_id: 'easel', ...refreshForm(refresh_token) }).toString(),
    });
    t.equal(headers['www-authenticate'], undefined, 'no question for a password');
    const ended = await ask(app, 'POST /user/tool-ended', {
      body: { since: 0 },
      headers: { authorization: COMMUNITY_TO_IDENTITY },
    });
    t.match(ended.body.data.client_list, [
      { client_id: 'easel', removed_at: clock.now },
      { client_id: 'lamp' },
    ]);
    t.equal((await send('POST /user/tool/client', { ...EASEL, ...PROOF })).status, 200);
    t.match(await refresh(refresh_token), { status: 400, body: { error: 'invalid_grant' } });
    const code = await post(app, '/oauth/token', { client_id: 'easel', ...exchangeForm(waiting) });
    t.match(code, { status: 400, body: { error: 'invalid_grant' } }, 'a code of before');
    t.match((await listed()).at(-1), { client_id: 'easel', people: 0, last_active_at: null });
    const missing = { status: 404, body: { code: 'NOT_FOUND' } };
    t.match(
      await send('POST /user/tool/client/remove', { client_id: 'canvas', ...PROOF }),
      missing,
      'of the setting',
    );
  });

  t.test('every change has a line, with its author', async (t) => {
    const { body } = await ask(app, 'GET /user/tool/client/change/list?limit=2', { bearer: admin.access });
    t.match(body.data, {
      total: 7,
      entry_list: [
        { action: 'tool.register', target_kind: 'tool', target_id: 'easel', target_name: 'Easel' },
        { action: 'tool.remove', actor: { user_id: admin.userId }, detail: { people: 4 } },
      ],
    });
    const cursor = String(body.data.next_cursor);
    const path = `GET /user/tool/client/change/list?cursor=${cursor}&limit=100`;
    const rest = await ask(app, path, { bearer: admin.access });
    t.equal((rest.body.data.entry_list as unknown[]).length, 5);
    const data = await ask(app, 'POST /user/account-export', { bearer: admin.access, body: PROOF });
    const exported = data.body.data.tool_changes as unknown[];
    t.equal(exported.length, 7);
    t.match(exported[0], { action: 'tool.register', client_id: 'easel', client_name: 'Easel' });
    const lines = logged()
      .split('\n')
      .filter((line) => line.includes('"tool changed"'));
    const removal = { actor_id: admin.userId, client_id: 'easel', action: 'tool.remove', ended: 4 };
    t.match(JSON.parse(lines.at(-2) ?? ''), removal);
  });
});

t.test('a session that ends is told to the community service', async (t) => {
  const { app, clock } = await testIdentity(t, { oauthClients: [TOOL] });
  const person = await newPerson(app);
  const ended = async (since: number) => {
    const { body } = await ask(app, 'POST /user/tool-ended', {
      body: { since },
      headers: { authorization: COMMUNITY_TO_IDENTITY },
    });
    return body.data;
  };
  await post(app, '/oauth/token', exchangeForm(await authorize(app, person.access)));
  t.strictSame(await ended(0), { sid_list: [], client_list: [], next: clock.now, has_more: false });
  await ask(app, 'POST /user/tool/disconnect', { bearer: person.access, body: { client_id: 'canvas' } });
  const first = await ended(0);
  t.equal((first.sid_list as string[]).length, 1);
  t.strictSame(await ended(clock.now + 1), { ...first, sid_list: [] });
  clock.now += 16 * 60_000 + 1;
  t.strictSame((await ended(0)).sid_list, [], 'no token of it is valid any more');
  t.equal(
    (await ask(app, 'POST /user/tool-ended', { body: { since: 0 }, headers: { authorization: '' } })).status,
    401,
  );
});
