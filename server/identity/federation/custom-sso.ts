import { createPublicKey } from 'node:crypto';
import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose';
import { startError } from '../../database/errors.ts';
import { appError, isAppError } from '../../http/errors.ts';
import type { Fetch } from '../../http/outgoing.ts';
import type { IdentityDb } from '../schema.ts';
import { secretHash } from '../secret.ts';
import { CLOCK_SKEW, federatedMethod, type RedirectMethod } from './method.ts';
import { profileOfClaims } from './profile.ts';
import type { CustomSsoSettings } from './settings-schemas.ts';
import { useProof } from './store.ts';

type Options = { source: string; db: IdentityDb; now: () => number; fetch: Fetch };

/** The portal makes a token for this moment; one that is good for longer could lie about. */
const LIFETIME_MAX = 10 * 60 * 1000;
const TOKEN_MAX = 16 * 1024;

/** Codes of the library that tell of the address of the keys, not of the token. */
const WITHOUT_KEYS: ReadonlySet<string> = new Set([
  'ERR_JOSE_GENERIC',
  'ERR_JWKS_INVALID',
  'ERR_JWKS_TIMEOUT',
]);

/** No symmetric ones: whoever can check such a token could make one. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/**
 * Users whom the customer's portal signs in with a signed token (RFC 7519), in the query or in a posted form. It is
 * good once, by its `jti`, for the sign-in that was begun here, by its `state`.
 * @throws StartError when the block has no key, two, or one that cannot be read
 */
export function customSsoMethod(settings: CustomSsoSettings, options: Options): RedirectMethod {
  const keys = keysOf(settings, options);
  const { login_url, fields } = settings;
  const { source, db, now } = options;
  return {
    ...federatedMethod(settings, source),
    kind: 'redirect',
    async begin({ state, callbackUrl }) {
      const url = new URL(login_url);
      url.searchParams.set('return_url', callbackUrl);
      url.searchParams.set('state', state);
      return { url: url.href, secrets: { state } };
    },
    stateOf: ({ url, form }) => form?.get('state') || url.searchParams.get('state') || undefined,
    async finish({ url, form }) {
      const token = form?.get('token') ?? url.searchParams.get('token') ?? '';
      const payload = await verified(token, settings, { keys, now });
      const isFirst = await useProof(db, {
        source,
        hash: secretHash(payload.jti ?? ''),
        expiresAt: new Date(now() + LIFETIME_MAX + 2 * CLOCK_SKEW),
      });
      if (!isFirst) throw refused('its jti was used before');
      const profile = profileOfClaims(payload, fields);
      if (!profile) throw refused('it names nobody');
      return profile;
    },
  };
}

function keysOf({ jwks_url, public_key }: CustomSsoSettings, { source, fetch }: Options): JWTVerifyGetKey {
  if (jwks_url !== undefined && public_key === undefined) {
    return createRemoteJWKSet(new URL(jwks_url), { [customFetch]: fetch });
  }
  if (public_key === undefined || jwks_url !== undefined) {
    throw startError(`IDENTITY_METHODS (${source}): one of "jwks_url" and "public_key" is needed.`);
  }
  try {
    const key = createPublicKey(public_key);
    return async () => key;
  } catch (error) {
    throw startError(`IDENTITY_METHODS (${source}): "public_key" is no public key in PEM.`, error);
  }
}

async function verified(
  token: string,
  { issuer, audience, clock_skew = CLOCK_SKEW }: CustomSsoSettings,
  { keys, now }: { keys: JWTVerifyGetKey; now: () => number },
): Promise<JWTPayload> {
  if (token.length > TOKEN_MAX) throw refused('it is too long');
  try {
    const { payload } = await jwtVerify(token, keys, {
      algorithms: ALGORITHMS,
      issuer,
      audience,
      requiredClaims: ['exp', 'iat', 'jti'],
      clockTolerance: clock_skew / 1000,
      maxTokenAge: LIFETIME_MAX / 1000,
      currentDate: new Date(now()),
    });
    return payload;
  } catch (error) {
    const unreachable = error instanceof Error && isAppError(error.cause) ? error.cause : error;
    if (isAppError(unreachable)) throw unreachable;
    if (!(error instanceof errors.JOSEError)) throw error;
    if (WITHOUT_KEYS.has(error.code)) throw appError('SERVICE_UNAVAILABLE', { cause: error });
    throw refused(error.code);
  }
}

function refused(why: string) {
  return appError('SSO_REFUSED', { cause: new Error(`the portal's token: ${why}`) });
}
