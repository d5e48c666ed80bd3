import { createHash, randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { OauthClient } from '../../server/identity/oauth/clients.ts';
import { PUBLIC_URL } from './identity.ts';
import { GATEWAY_TO_IDENTITY } from './service-keys.ts';

export const TOOL: OauthClient = {
  client_id: 'canvas',
  client_name: 'Canvas',
  client_uri: 'https://canvas.example/',
  redirect_uris: ['http://127.0.0.1/callback', 'com.example.canvas:/callback'],
  scope_list: ['plugins:read', 'plugins:install'],
};

export const REDIRECT_URI = 'http://127.0.0.1:49152/callback';

/** A browser's request to the endpoints, with its cookies. */
export async function browse(app: FastifyInstance, url: string, cookies: Record<string, string>) {
  const reply = await app.inject({
    method: 'GET',
    url,
    headers: { authorization: GATEWAY_TO_IDENTITY },
    cookies,
  });
  for (const { name, value } of reply.cookies) cookies[name] = value;
  return { status: reply.statusCode, location: new URL(String(reply.headers.location), PUBLIC_URL) };
}

/** A request of the tool itself, with a form. */
export async function post(
  app: FastifyInstance,
  url: string,
  form: Record<string, string>,
  headers: Record<string, string> = {},
) {
  const reply = await app.inject({
    method: 'POST',
    url,
    headers: {
      authorization: GATEWAY_TO_IDENTITY,
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
    },
    payload: new URLSearchParams({ client_id: TOOL.client_id, ...form }).toString(),
  });
  const body: Record<string, unknown> = reply.body === '' ? {} : reply.json();
  return { status: reply.statusCode, body };
}

/** Parameters of a request to authorize, and the verifier of its challenge. */
export function begin(more: Record<string, string> = {}) {
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    client_id: TOOL.client_id,
    response_type: 'code',
    redirect_uri: REDIRECT_URI,
    scope: 'openid plugins:read plugins:install',
    state: 'the-state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...more,
  });
  return { verifier, url: `/oauth/authorize?${query}` };
}

type Answered = { status: number; body: { code: number | string; data: Record<string, unknown> } };

/** The user's answer in the page. */
export async function answer(
  app: FastifyInstance,
  { uid, cookies, bearer }: { uid: string; cookies: Record<string, string>; bearer: string },
  decision: string,
): Promise<Answered> {
  const reply = await app.inject({
    method: 'POST',
    url: `/user/tool/request/${uid}`,
    headers: { authorization: `Bearer ${bearer}` },
    cookies,
    payload: { decision },
  });
  return { status: reply.statusCode, body: reply.json() };
}

/** Begins, and lets the user of the bearer allow it. @returns the code and its verifier */
export async function authorize(app: FastifyInstance, bearer: string, more: Record<string, string> = {}) {
  const cookies: Record<string, string> = {};
  const { verifier, url } = begin(more);
  const { location } = await browse(app, url, cookies);
  const uid = location.searchParams.get('request') ?? '';
  const { body } = await answer(app, { uid, cookies, bearer }, 'allow');
  const back = await browse(app, String(body.data.continue_to).replace(PUBLIC_URL, ''), cookies);
  return { verifier, uid, cookies, back: back.location, code: back.location.searchParams.get('code') ?? '' };
}

export function exchangeForm({ code, verifier }: { code: string; verifier: string }) {
  return { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: REDIRECT_URI };
}

export const refreshForm = (token: unknown) => ({
  grant_type: 'refresh_token',
  refresh_token: String(token),
});

/** The hash of an access token in a proof (RFC 9449 section 4.2). */
export const athOf = (token: string) => createHash('sha256').update(token).digest('base64url');

/** A key with its thumbprint, and proofs of its possession (RFC 9449 section 4.2). */
export async function proofKey() {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const jwk = await exportJWK(publicKey);
  const prove = (url: string, jti: string, claims: Record<string, unknown> = {}) =>
    new SignJWT({
      htm: 'POST',
      htu: `${PUBLIC_URL}${url}`,
      jti,
      iat: Math.floor(Date.now() / 1000),
      ...claims,
    })
      .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk })
      .sign(privateKey);
  return { prove, jkt: await calculateJwkThumbprint(jwk) };
}
