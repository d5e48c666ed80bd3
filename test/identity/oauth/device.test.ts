import type { FastifyInstance } from 'fastify';
import t from 'tap';
import type { OauthClient } from '../../../server/identity/oauth/clients.ts';
import { DEVICE_CODE_GRANT } from '../../../shared/tool-metadata.ts';
import { ask, newPerson, PUBLIC_URL, testIdentity } from '../../support/identity.ts';
import { post, refreshForm, TOOL } from '../../support/tool.ts';

const DEVICE_TOOL: OauthClient = { ...TOOL, grant_types: ['authorization_code', DEVICE_CODE_GRANT] };
const BROWSER_ONLY = { ...TOOL, client_id: 'browser-only' };

type Started = { device_code: string; user_code: string };

t.test('a device connects with a code that its user types elsewhere', async (t) => {
  const { app, clock, startAnother, db, logged } = await testIdentity(t, {
    oauthClients: [DEVICE_TOOL, BROWSER_ONLY],
  });
  const other = await startAnother();

  async function begin(): Promise<Started> {
    const { status, body } = await post(app, '/oauth/device_authorization', { scope: 'plugins:read' });
    if (status !== 200) throw new Error(JSON.stringify(body));
    return { device_code: String(body.device_code), user_code: String(body.user_code) };
  }
  const poll = (service: FastifyInstance, { device_code }: Started) =>
    post(service, '/oauth/token', { grant_type: DEVICE_CODE_GRANT, device_code });
  const read = (user_code: string, bearer: string) =>
    ask(app, 'POST /user/device/read', { bearer, body: { user_code } });
  const decide = (
    user_code: string,
    bearer: string,
    { decision = 'allow', service = app }: { decision?: string; service?: FastifyInstance } = {},
  ) => ask(service, 'POST /user/device/answer', { bearer, body: { user_code, decision } });
  const sessionsOfTools = () =>
    db.selectFrom('session').select('sid').where('client_id', '=', 'canvas').where('revoked_at', 'is', null);
  const WRONG = { status: 400, body: { code: 'DEVICE_CODE_INVALID' } };

  t.test('discovery names the endpoint, whose answer names our page', async (t) => {
    const { body } = await ask(app, 'GET /.well-known/oauth-authorization-server');
    t.match(body, { device_authorization_endpoint: `${PUBLIC_URL}/oauth/device_authorization` });
    const started = await post(app, '/oauth/device_authorization', { scope: 'plugins:read' });
    const { user_code, ...rest } = started.body;
    t.match(user_code, /^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/);
    t.match(rest, {
      verification_uri: `${PUBLIC_URL}/plugins/device`,
      verification_uri_complete: `${PUBLIC_URL}/plugins/device?user_code=${user_code}`,
      expires_in: 600,
      interval: 5,
    });
    const refused = await post(app, '/oauth/device_authorization', { client_id: 'browser-only' });
    t.match(refused, { status: 400, body: { error: 'invalid_request' } }, 'only tools that say so');
  });

  t.test('the user reads and allows it, typed in any way', async (t) => {
    const person = await newPerson(app);
    const started = await begin();
    t.match(await poll(app, started), { status: 400, body: { error: 'authorization_pending' } });
    const typed = started.user_code.toLowerCase().replace('-', ' ');
    t.strictSame((await read(typed, person.access)).body.data, {
      client_name: 'Canvas',
      client_uri: 'https://canvas.example/',
      scope_list: ['plugins:read'],
      needs_sign_in: false,
    });
    t.equal((await decide(typed, person.access)).status, 200);
    const { status, body } = await poll(other, started);
    t.equal(status, 200);
    t.match(body, { token_type: 'Bearer', scope: 'plugins:read', expires_in: 900 });
    t.equal((await post(app, '/oauth/token', refreshForm(body.refresh_token))).status, 200);
    const listed = await ask(app, 'GET /user/tool/list', { bearer: person.access });
    t.match(listed.body.data, { tool_list: [{ client_id: 'canvas', scope_list: ['plugins:read'] }] });
    t.match(await read(started.user_code, person.access), WRONG, 'a code is answered once');
    t.notMatch(logged(), started.user_code);
  });

  t.test('the user may refuse', async (t) => {
    const person = await newPerson(app);
    const started = await begin();
    t.equal((await decide(started.user_code, person.access, { decision: 'refuse' })).status, 200);
    t.match(await poll(app, started), { status: 400, body: { error: 'access_denied' } });
    t.match(await decide(started.user_code, person.access), WRONG);
  });

  t.test('a device that asks too often has to wait longer', async (t) => {
    const started = await begin();
    const errorAfter = async (seconds: number, service = app) => {
      clock.now += seconds * 1000;
      return (await poll(service, started)).body.error;
    };
    t.equal(await errorAfter(0), 'authorization_pending');
    t.equal(await errorAfter(5, other), 'authorization_pending');
    t.equal(await errorAfter(3), 'slow_down');
    t.equal(await errorAfter(5, other), 'slow_down', 'now ten seconds');
    t.equal(await errorAfter(15), 'authorization_pending');
    const person = await newPerson(app);
    await decide(started.user_code, person.access);
    t.equal((await poll(app, started)).status, 200, 'an answer is never too early');
  });

  t.test('a code allowed twice at once counts once', async (t) => {
    const person = await newPerson(app);
    const second = await newPerson(app);
    const started = await begin();
    const before = (await sessionsOfTools().execute()).length;
    const answers = await Promise.all(
      [0, 1, 2, 3, 4, 5].map((at) =>
        decide(started.user_code, at % 2 ? person.access : second.access, { service: at % 2 ? app : other }),
      ),
    );
    t.strictSame(answers.map(({ status }) => status).sort(), [200, 400, 400, 400, 400, 400]);
    t.equal((await sessionsOfTools().execute()).length, before + 1);
    t.equal((await poll(app, started)).status, 200);
  });

  t.test('ten questions at once get one token, which goes on working', async (t) => {
    const person = await newPerson(app);
    const started = await begin();
    await decide(started.user_code, person.access);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_none, at) => poll(at % 2 ? app : other, started)),
    );
    const [right, ...more] = answers.filter(({ status }) => status === 200);
    t.equal(more.length, 0);
    for (const { body } of answers.filter(({ status }) => status !== 200))
      t.match(body, { error: 'invalid_grant' });
    const refreshed = await post(app, '/oauth/token', refreshForm(right?.body.refresh_token));
    t.equal(refreshed.status, 200);
    clock.now += 11_000;
    t.match(await poll(other, started), { status: 400, body: { error: 'invalid_grant' } });
    const after = await post(app, '/oauth/token', refreshForm(refreshed.body.refresh_token));
    t.match(after, { status: 400, body: { error: 'invalid_grant' } }, 'somebody else has the code');
  });

  t.test('unknown and expired codes are wrong, and guesses are counted', async (t) => {
    const person = await newPerson(app);
    const started = await begin();
    await db
      .updateTable('oauth_state')
      .set({ expires_at: new Date(clock.now) })
      .execute();
    t.match(await decide(started.user_code, person.access), WRONG, 'expired');
    for (const guess of ['BBBB-BBBB', '-', 'ß', '12345678'])
      t.match(await read(guess, person.access), WRONG, guess);
    const blocked = await read('BBBB-BBBC', person.access);
    t.match(blocked, { status: 429, body: { code: 'TOO_MANY_REQUESTS' } }, 'for the account');
    t.equal(blocked.headers['retry-after'], '2');
    const valid = await begin();
    t.equal((await read(valid.user_code, person.access)).status, 429, 'the right one too');
    for (let at = 0; at < 6; at += 1) {
      const honest = await newPerson(app);
      t.equal((await read(valid.user_code, honest.access)).status, 200, 'what is right is not counted');
    }
  });
});
