import { createHash, randomBytes } from 'node:crypto';
import { decodeJwt } from 'jose';
import pg from 'pg';
import t, { type Test } from 'tap';
import { testDatabase } from '../../support/database.ts';
import { ADMIN, type Tokens, testFolder } from '../../support/identity.ts';
import { type Program, startProgram } from '../../support/program.ts';
import { GATEWAY_TO_IDENTITY } from '../../support/service-keys.ts';
import { startStub } from '../../support/stub-upstream.ts';
import { until } from '../../support/until.ts';

const LOGOUT = 'POST /api/auth/backchannel-logout';
/** The time for which a replaced token gets the same successor. */
const GRACE = '30 seconds';

const gateway = await startStub(t);
gateway.on(LOGOUT, () => ({}));
const publicUrl = `http://localhost:${gateway.port}`;
const { url: DATABASE_URL, pool } = await testDatabase(t);
const settings = {
  ROLE: 'identity',
  DATABASE_URL,
  DATA_DIR: await testFolder(t),
  IDENTITY_KEYS: randomBytes(32).toString('base64url'),
  PUBLIC_URL: publicUrl,
  ADMIN_EMAIL: ADMIN.email,
  ADMIN_PASSWORD: ADMIN.password,
};
const one = await startProgram(settings, { t });
const other = await startProgram(settings, { t });
const both = [one, other] as const;

type Answer = { status: number; code: unknown; data: Record<string, unknown> };

async function ask({ origin }: Program, path: string, init: RequestInit = {}): Promise<Answer> {
  const headers = { authorization: GATEWAY_TO_IDENTITY, ...init.headers };
  const answer = await fetch(origin + path, { ...init, headers });
  const { code, data } = await answer.json();
  return { status: answer.status, code, data };
}

async function signIn(program: Program): Promise<Tokens> {
  const verifier = randomBytes(32).toString('base64url');
  const redirect_uri = `${publicUrl}/api/auth/callback?nonce=n0nce`;
  const typed = await ask(program, '/user/page/sign_in', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      account: ADMIN.email,
      password: ADMIN.password,
      redirect_uri,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    }),
  });
  const code = new URL(String(typed.data.continue_to)).searchParams.get('code') ?? '';
  const shown = new URLSearchParams({ code, redirect_uri, code_verifier: verifier });
  const { data } = await ask(program, `/user/login/code/user?${shown}`);
  return {
    access: String(data.access_token),
    refresh: String(data.refresh_token),
    userId: Number(data.user_id),
  };
}

const refresh = (program: Program, token: string): Promise<Answer> =>
  ask(program, '/user/refresh_token', {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: token }),
  });

const statusWith = async (program: Program, path: string, bearer: string): Promise<number> =>
  (await ask(program, path, { headers: { authorization: `Bearer ${bearer}` } })).status;

/** Makes all replacements of tokens half a minute older: the clock of a running program cannot be moved. */
const graceEnds = () =>
  pool.query(`update identity.refresh_token set rotated_at = rotated_at - interval '${GRACE}'`);

/** Sends a token to both at once: neither goes on before both wait for its row. */
async function toBothAtOnce(token: string): Promise<Answer[]> {
  const holder = new pg.Client({ connectionString: DATABASE_URL });
  await holder.connect();
  await holder.query('begin');
  await holder.query('select from identity.refresh_token for update');
  const answers = Promise.all(both.map((program) => refresh(program, token)));
  await until(async () => {
    const { rows } = await pool.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return rows.length === both.length;
  });
  await holder.query('commit');
  await holder.end();
  return answers;
}

/** Log lines of both about reused tokens of a session. */
const reusesOf = (access: string) =>
  both
    .flatMap(({ log }) => log)
    .filter(({ event, sid }) => event === 'refresh_token_reuse' && sid === decodeJwt(access).sid);

/** Sessions that the gateway was told to end. */
const toldToEnd = () =>
  gateway
    .seen(LOGOUT)
    .map(({ body }) => decodeJwt(new URLSearchParams(body.toString()).get('logout_token') ?? '').sid);

/** Waits for the line: the log of a process comes after its answer. */
async function hasOneReuse(t: Test, access: string): Promise<void> {
  const lines = await until(() => reusesOf(access).length > 0 && reusesOf(access));
  t.match(lines, [{ level: 'warn', reason: 'replaced' }]);
  t.equal(lines.length, 1, 'one line of both');
  const { sid } = decodeJwt(access);
  t.strictSame(
    toldToEnd().filter((told) => told === sid),
    [sid],
    'the gateway is told once',
  );
}

for (const [title, steps] of [
  ['the first token of a session', 0],
  ['a later one', 2],
] as const) {
  t.test(`${title}, sent to two processes`, async (t) => {
    const { access, refresh: first } = await signIn(one);
    let token = first;
    for (let step = 0; step < steps; step += 1)
      token = String((await refresh(one, token)).data.refresh_token);

    const answers = await toBothAtOnce(token);
    t.strictSame(
      answers.map(({ status }) => status),
      [200, 200],
    );
    const [successor = '', ...more] = new Set(answers.map(({ data }) => String(data.refresh_token)));
    t.strictSame(more, [], 'both give one successor');
    t.not(successor, token, 'another token');
    for (const { data } of answers) {
      for (const program of both) {
        t.equal(await statusWith(program, '/user/userinfo', String(data.access_token)), 200);
      }
    }

    for (const program of both) {
      const again = await refresh(program, token);
      t.strictSame([again.status, again.data.refresh_token], [200, successor], 'a lost answer is repeated');
      t.equal(await statusWith(program, '/user/valid', token), 200, 'a call in flight');
    }
    const latest = String((await refresh(other, successor)).data.refresh_token);
    t.equal((await refresh(one, latest)).status, 200, 'the session goes on at the other process');
    t.strictSame(reusesOf(access), [], 'no reuse so far');

    const kept = await signIn(other);
    await graceEnds();
    const reused = await refresh(other, latest);
    t.strictSame([reused.status, reused.code], [401, 'TOKEN_INVALID'], 'a use of the replaced token');
    for (const program of both) {
      for (const gone of [first, token, successor, latest]) {
        t.equal((await refresh(program, gone)).status, 401, 'every token of the session');
        t.equal(await statusWith(program, '/user/valid', gone), 401);
      }
      t.equal(await statusWith(program, '/user/userinfo', access), 401, 'its access token too');
      t.equal(await statusWith(program, '/user/valid', kept.refresh), 200, 'another session of the user');
    }
    await hasOneReuse(t, access);
  });
}

t.test('a replaced token that reaches two processes at once after the grace', async (t) => {
  const { refresh: token, access } = await signIn(one);
  const successor = String((await refresh(one, token)).data.refresh_token);
  await graceEnds();
  t.strictSame(
    (await toBothAtOnce(token)).map(({ status }) => status),
    [401, 401],
  );
  for (const program of both) {
    t.equal((await refresh(program, successor)).status, 401);
    t.equal(await statusWith(program, '/user/userinfo', access), 401);
  }
  await hasOneReuse(t, access);
});
