import { createPublicKey } from 'node:crypto';
import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose';
import { CLOCK_TOLERANCE } from '../../../../shared/user-service.ts';
import { startError } from '../../../database/errors.ts';
import { appError, isAppError } from '../../../http/errors.ts';
import type { Fetch } from '../../../http/outgoing.ts';
import type { IdentityDb } from '../../schema.ts';
import { secretHash } from '../../secret.ts';
import { federatedMethod, type RedirectMethod } from './method.ts';
import { profileOfClaims } from './profile.ts';
import type { CustomSsoSettings } from './settings-schema.ts';
import { consumeProof } from './store.ts';

type Options = { source: string; db: IdentityDb; now: () => number; fetch: Fetch };

/** The portal issues a token for immediate use; a longer lifetime would allow a leaked one to be used later. */
const LIFETIME_MAX = 10 * 60 * 1000;
const TOKEN_MAX = 16 * 1024;

/** Error codes of the library about fetching the keys, not about the token. */
const KEY_ERRORS: ReadonlySet<string> = new Set(['ERR_JOSE_GENERIC', 'ERR_JWKS_INVALID', 'ERR_JWKS_TIMEOUT']);

/** No symmetric algorithms: whoever can verify such a token could also forge one. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

/**
 * Users that the customer's portal signs in with a signed token (RFC 7519), in the query or in a posted form. The token is
 * valid once (`jti`), and only for the sign-in that was started here (`state`).
 * @throws StartError when the block has no key, two keys, or an invalid one
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
      const payload = await verifyToken(token, settings, { keys, now });
      const isFirst = await consumeProof(db, {
        source,
        hash: secretHash(payload.jti ?? ''),
        expiresAt: new Date(now() + LIFETIME_MAX + 2 * CLOCK_TOLERANCE),
      });
      if (!isFirst) throw tokenRefused('its jti was already used');
      const profile = profileOfClaims(payload, fields);
      if (!profile) throw tokenRefused('it has no subject');
      return profile;
    },
  };
}

function keysOf({ jwks_url, public_key }: CustomSsoSettings, { source, fetch }: Options): JWTVerifyGetKey {
  if (jwks_url !== undefined && public_key === undefined) {
    return createRemoteJWKSet(new URL(jwks_url), { [customFetch]: fetch });
  }
  if (public_key === undefined || jwks_url !== undefined) {
    throw startError(`IDENTITY_METHODS (${source}): exactly one of "jwks_url" and "public_key" is required.`);
  }
  try {
    const key = createPublicKey(public_key);
    return async () => key;
  } catch (error) {
    throw startError(`IDENTITY_METHODS (${source}): "public_key" is not a public key in PEM format.`, error);
  }
}

async function verifyToken(
  token: string,
  { issuer, audience, clock_skew = CLOCK_TOLERANCE }: CustomSsoSettings,
  { keys, now }: { keys: JWTVerifyGetKey; now: () => number },
): Promise<JWTPayload> {
  if (token.length > TOKEN_MAX) throw tokenRefused('it is too long');
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
    if (KEY_ERRORS.has(error.code)) throw appError('SERVICE_UNAVAILABLE', { cause: error });
    throw tokenRefused(error.code);
  }
}

function tokenRefused(why: string) {
  return appError('SSO_REFUSED', { cause: new Error(`the portal's token: ${why}`) });
}
