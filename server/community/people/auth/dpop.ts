import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { decodeJwt, type JSONWebKeySet } from 'jose';
import { allowInsecureRequests, clockSkew, customFetch, validateJwtAccessToken } from 'oauth4webapi';
import { JWKS_PATH, toolAudience } from '../../../../shared/user-service.ts';
import { boundTokenIn, tokenInvalid } from '../../../http/authentication.ts';
import { appError } from '../../../http/errors.ts';
import { repeatWhileListening } from '../../../http/repeat.ts';
import type { Db } from '../../schema.ts';
import type { Caller } from './caller.ts';

/** Algorithms of proofs and of tokens: those in discovery (`dpop_signing_alg_values_supported`). */
const ALGORITHMS = ['ES256', 'Ed25519', 'EdDSA'];
/**
 * Milliseconds for which a used proof is remembered: the library accepts its time of issue five minutes before and after
 * now, and the clocks of instances may differ by another minute.
 */
const MEMORY = 11 * 60_000;
/** Milliseconds between two deletions of old proofs. */
const FORGET_EVERY = 10 * 60_000;

/**
 * Checks that who sends a token that is bound to a key has that key (RFC 9449 section 7). Tokens that are not bound pass.
 * @throws TOKEN_INVALID for a bound token as a plain bearer and the other way round; PROOF_INVALID
 */
export type CheckProof = (request: FastifyRequest, caller: Caller) => Promise<void>;

/** `issuer`: of the tokens of tools and the site's address, without tools undefined; `jwks`: the keys that they are signed with. */
type ProofSource = { db: Db; now: () => number; issuer: string | undefined; jwks: () => JSONWebKeySet };

export function openProofCheck({ db, now, issuer, jwks }: ProofSource): CheckProof {
  return async (request, { boundTo }) => {
    const isSentAsBound = boundTokenIn(request) !== undefined;
    if (boundTo === undefined && !isSentAsBound) return;
    if (boundTo === undefined || !isSentAsBound || issuer === undefined)
      throw tokenInvalid(undefined, 'DPoP');
    const proof = String(request.headers.dpop ?? '');
    await validateJwtAccessToken(
      { issuer, jwks_uri: issuer + JWKS_PATH },
      asClientSent(request, issuer),
      toolAudience(issuer),
      {
        signingAlgorithms: ALGORITHMS,
        [clockSkew]: Math.round((now() - Date.now()) / 1000),
        // The known keys: nothing is read from the network.
        [customFetch]: async () => Response.json(jwks()),
        [allowInsecureRequests]: true,
      },
    ).catch((cause: unknown) => {
      throw proofInvalid(cause);
    });
    const { jti } = decodeJwt(proof);
    if (!(await recordProof(db, `${boundTo} ${jti}`, now()))) throw proofInvalid('used before');
  };
}

/** The request with the address that the client knows: the gateway passes paths of the contract on as they are. */
function asClientSent({ method, url, headers }: FastifyRequest, issuer: string): Request {
  const { authorization = '', dpop } = headers;
  return new Request(issuer + url, {
    method,
    headers: { authorization, ...(typeof dpop === 'string' && { dpop }) },
  });
}

/** 401 with the challenge of RFC 9449 section 7.1. */
function proofInvalid(cause: unknown) {
  const challenge = `DPoP error="invalid_dpop_proof", algs="${ALGORITHMS.join(' ')}"`;
  return appError('PROOF_INVALID', { cause, headers: { 'www-authenticate': challenge } });
}

/** @returns false if the proof was used before, at any instance */
async function recordProof(db: Db, proof: string, now: number): Promise<boolean> {
  const result = await db
    .insertInto('used_proof')
    .values({
      proof_hash: createHash('sha256').update(proof).digest(),
      expires_at: new Date(now + MEMORY),
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

/** Deletes proofs that are too old to be accepted, while the app listens. */
export function forgetProofs(app: FastifyInstance): void {
  const { db, clock: now, log } = app;
  repeatWhileListening(app, {
    every: FORGET_EVERY,
    first: FORGET_EVERY,
    log,
    failed: 'deleting old proofs failed',
    recovered: 'deleting old proofs succeeds again',
    async run() {
      await db.deleteFrom('used_proof').where('expires_at', '<=', new Date(now())).execute();
    },
  });
}
