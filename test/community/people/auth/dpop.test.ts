import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import t from 'tap';
import { toolAudience } from '../../../../shared/user-service.ts';
import { testCommunity } from '../../../support/community.ts';
import { athOf, proofKey } from '../../../support/tool.ts';

const SITE = 'https://square.example';
const PATH = '/api/cmt/plugin/user/list';
const CALL = `${PATH}?page=1&page_size=10`;

t.test('a token that is bound to a key works with a proof of that key', async (t) => {
  const first = await testCommunity(t, { toolIssuer: SITE });
  const { app, issuer, db } = first;
  const { app: other } = await testCommunity(t, { toolIssuer: SITE, beside: first });
  const key = await proofKey();
  const tokenOf = (more: Record<string, unknown> = {}) =>
    issuer.sign({
      iss: SITE,
      aud: toolAudience(SITE),
      client_id: 'canvas',
      sid: 'session-of-canvas',
      jti: randomUUID(),
      scope: 'plugins:read',
      ...more,
    });
  const bound = await tokenOf({ cnf: { jkt: key.jkt } });
  const proof = (claims: Record<string, unknown> = {}, { prove } = key) =>
    prove(PATH, randomUUID(), { htm: 'GET', ath: athOf(bound), ...claims });
  async function ask(
    headers: Record<string, string>,
    { service = app, url = CALL }: { service?: FastifyInstance; url?: string } = {},
  ) {
    const answer = await service.inject({ url, headers });
    const { statusCode: status } = answer;
    return { status, code: answer.json().code, challenge: answer.headers['www-authenticate'] };
  }
  const withProof = async (dpop: string, service = app) =>
    ask({ authorization: `DPoP ${bound}`, dpop }, { service });
  const REFUSED = {
    status: 401,
    code: 'PROOF_INVALID',
    challenge: 'DPoP error="invalid_dpop_proof", algs="ES256 Ed25519 EdDSA"',
  };

  t.test('for the method and the address of the call, with or without its query', async (t) => {
    t.match(await withProof(await proof()), { status: 200, code: 0 });
    t.match(await withProof(await proof({ htu: `${SITE}${CALL}` })), { status: 200, code: 0 });
  });

  t.test('once, at all instances together', async (t) => {
    const dpop = await proof();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_none, at) => withProof(dpop, at % 2 ? app : other)),
    );
    t.strictSame(answers.map(({ status }) => status).sort(), [200, 401, 401, 401, 401, 401, 401, 401]);
    t.strictSame(await withProof(dpop, other), REFUSED);
    const { expires_at } = await db
      .selectFrom('used_proof')
      .select('expires_at')
      .orderBy('expires_at', 'desc')
      .executeTakeFirstOrThrow();
    t.ok(expires_at.getTime() > Date.now() + 600_000, 'remembered for as long as it could be used');
  });

  t.test('not with a proof of something else', async (t) => {
    const seconds = Math.floor(Date.now() / 1000);
    for (const [what, dpop] of [
      ['another key', await proof({}, await proofKey())],
      ['another method', await proof({ htm: 'POST' })],
      ['another call', await proof({ htu: `${SITE}/api/cmt/plugin/liked` })],
      ['another site', await proof({ htu: `https://thief.example${PATH}` })],
      ['another token', await proof({ ath: athOf('another') })],
      ['no token', await proof({ ath: undefined })],
      ['long ago', await proof({ iat: seconds - 310 })],
      ['to come', await proof({ iat: seconds + 310 })],
      ['no id', await proof({ jti: undefined })],
      ['no proof', 'not-a-proof'],
      ['two proofs', `${await proof()}, ${await proof()}`],
    ] as const)
      t.strictSame(await withProof(dpop), REFUSED, what);
    t.strictSame(await ask({ authorization: `DPoP ${bound}` }), REFUSED, 'without any');
  });

  t.test('not as a plain bearer, and a plain token not as a bound one', async (t) => {
    const dpop = await proof();
    const INVALID = { status: 401, code: 'TOKEN_INVALID', challenge: 'DPoP error="invalid_token"' };
    t.strictSame(await ask({ authorization: `Bearer ${bound}` }), INVALID);
    t.strictSame(await ask({ authorization: `Bearer ${bound}`, dpop }), INVALID);
    t.strictSame(await ask({ authorization: `DPoP ${await tokenOf()}`, dpop }), INVALID);
    t.strictSame(await ask({ authorization: `DPoP ${await issuer.sign({})}`, dpop }), INVALID);
    t.match(await ask({ authorization: `Bearer ${await tokenOf()}` }), { status: 200 });
    t.match(await ask({ authorization: 'DPoP psq_a-publish-token', dpop }), { code: 'TOKEN_INVALID' });
  });

  t.test('within its scopes', async (t) => {
    const liked = '/api/cmt/plugin/token/list';
    const dpop = await proof({ htu: SITE + liked });
    t.strictSame(await ask({ authorization: `DPoP ${bound}`, dpop }, { url: liked }), {
      status: 403,
      code: 'FORBIDDEN',
      challenge: 'DPoP error="insufficient_scope"',
    });
  });
});
