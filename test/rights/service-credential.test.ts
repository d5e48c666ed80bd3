import type { FastifyInstance } from 'fastify';
import t, { type Test } from 'tap';
import { contract } from '../../shared/contract.ts';
import { accountCalls, noticeMailCalls, publishGrantCalls } from '../../shared/identity-calls.ts';
import type { Route } from '../../shared/route.ts';
import { JWKS_PATH, type UserServiceCall, userServiceCalls } from '../../shared/user-service.ts';
import { testCommunity } from '../support/community.ts';
import { testIdentity } from '../support/identity.ts';
import { requestOf, type Subject } from './requests.ts';

const NO_SUBJECT: Subject = { plugin_key: '-', waiting_key: '-', submission_id: 0, token_id: 0 };

/** Another set of keys than that of the services. */
const REFUSED = {
  code: 'SERVICE_CREDENTIAL_INVALID',
  message: 'This call needs the credential of this deployment (SERVICE_KEYS).',
};

type Call = { method: string; path: string };

const routesOf = (service: Route['service']): Call[] =>
  Object.values<Route>(contract).filter((route) => route.service === service);

const COMMUNITY_CALLS = routesOf('community');
const IDENTITY_CALLS = [
  ...routesOf('identity'),
  ...[userServiceCalls, publishGrantCalls, accountCalls, noticeMailCalls].flatMap((calls) =>
    Object.values<UserServiceCall>(calls).map(({ method, path }) => ({ method, path: `/${path}` })),
  ),
];

/** Calls without the credential and without a user's bearer. */
const STRANGERS: Readonly<Record<string, Record<string, string>>> = {
  nothing: {},
  'the credential of others': { authorization: `Basic ${btoa('gateway:guessed')}` },
  'an empty credential': { authorization: 'Basic ' },
  'another scheme': { authorization: 'Digest username="gateway"' },
};

async function askBare(app: FastifyInstance, { method, path }: Call, headers: Record<string, string>) {
  const call = requestOf(`${method} ${path}`, undefined, NO_SUBJECT);
  const answer = await app.inject({
    method: method === 'POST' || method === 'PUT' || method === 'DELETE' ? method : 'GET',
    url: call.path,
    headers: { ...headers, ...(typeof call.body === 'string' && { 'content-type': 'application/json' }) },
    ...(typeof call.body === 'string' && { payload: call.body }),
  });
  const { code, message } = answer.json();
  return { status: answer.statusCode, code, message, challenge: answer.headers['www-authenticate'] };
}

function everyCallIsRefused(t: Test, app: FastifyInstance, calls: readonly Call[]): void {
  for (const call of calls) {
    t.test(`${call.method} ${call.path}`, async (t) => {
      for (const [sent, headers] of Object.entries(STRANGERS)) {
        const answer = await askBare(app, call, headers);
        t.strictSame(answer, { status: 401, ...REFUSED, challenge: 'Basic realm="plugin-square"' }, sent);
      }
      // It is no way around the credential on routes that take no token.
      const bearer = await askBare(app, call, { authorization: 'Bearer invented' });
      t.equal(bearer.status, 401, 'an invented bearer token');
      t.match(bearer.code, /^(?:TOKEN_INVALID|SERVICE_CREDENTIAL_INVALID)$/);
    });
  }
}

t.test('community: no call without a bearer and without the credential', async (t) => {
  const { app } = await testCommunity(t);
  t.ok(COMMUNITY_CALLS.length > 80, String(COMMUNITY_CALLS.length));
  everyCallIsRefused(t, app, COMMUNITY_CALLS);
});

t.test('identity: no call without a bearer and without the credential', async (t) => {
  const { app } = await testIdentity(t);
  t.ok(IDENTITY_CALLS.length > 60, String(IDENTITY_CALLS.length));
  everyCallIsRefused(t, app, IDENTITY_CALLS);
  t.test('an unknown path tells nothing', async (t) => {
    t.equal((await askBare(app, { method: 'GET', path: '/user/nothing-here' }, {})).status, 401);
  });
  t.test('but the public keys of access tokens', async (t) => {
    t.equal((await app.inject(JWKS_PATH)).statusCode, 200);
  });
});
