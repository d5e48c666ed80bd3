import type { FastifyBaseLogger } from 'fastify';
import Provider, { errors } from 'oidc-provider';
import {
  DEVICE_PATH,
  TOOL_ERROR_PARAMETER,
  TOOL_REQUEST_PARAMETER,
  TOOL_REQUEST_PATH,
} from '../../../shared/constants.ts';
import { TOOL_SCOPES } from '../../../shared/tool-metadata.ts';
import { JWKS_PATH, toolAudience, toolCookies } from '../../../shared/user-service.ts';
import { SIGNING_ALGORITHM } from '../../encryption/signing-key.ts';
import { findUser, type User } from '../accounts/store.ts';
import { ACCESS_TOKEN_LIFETIME, ACTIVITY_INTERVAL, CODE_LIFETIME, SESSION_LIFETIME } from '../lifetimes.ts';
import { findSession, recordActivity } from '../sessions/store.ts';
import type { SessionContext } from '../sessions/tokens.ts';
import { createAdapter, POLL_INTERVAL } from './adapter.ts';
import { metadataOf, SCOPES } from './clients.ts';
import type { ToolContext } from './connect.ts';

/** How long users have to answer a request, in seconds. */
const REQUEST_SECONDS = 600;
const seconds = (milliseconds: number): number => milliseconds / 1000;

const addressOfPage = (query: Record<string, string>): string =>
  `${TOOL_REQUEST_PATH}?${new URLSearchParams(query)}`;

/** The library's objects in its callbacks. */
type Callback = { oidc: { entities: { Account?: { user: User } } } };

/**
 * The authorization server for tools (OpenID Connect Core 1.0, RFC 6749, 7636, 8628, 9068, 9126, 9449), which knows its keys from
 * its construction: a rotation makes a new one.
 */
export function createProviders(identity: ToolContext, log: FastifyBaseLogger): () => Promise<Provider> {
  let known: { kid: string; provider: Provider } | undefined;
  return async () => {
    const { kid, private_jwk } = await identity.keys.signing();
    if (known?.kid === kid) return known.provider;
    const jwk = { ...private_jwk, kid, alg: SIGNING_ALGORITHM, use: 'sig' };
    const provider = new Provider(identity.publicUrl, configurationOf(identity, jwk));
    // endpoints.ts sets the headers.
    provider.proxy = true;
    logFailures(provider, log);
    adaptAnswers(provider);
    known = { kid, provider };
    return provider;
  };
}

/** Refusals of a device whose user has not answered yet. */
const WAITING: ReadonlySet<string> = new Set(['authorization_pending', 'slow_down']);

/**
 * The library leaves out how often a device may ask (RFC 8628 section 3.2), and asks unknown tools for a password, which none
 * has: the gateway would take that for a refusal of its own credential.
 */
function adaptAnswers(provider: Provider): void {
  provider.use(async (context, next) => {
    await next();
    context.remove('www-authenticate');
    const { oidc, status, body } = context;
    if (oidc?.route === 'device_authorization' && status === 200)
      context.body = { ...Object(body), interval: POLL_INTERVAL };
  });
}

/** The answer to the tool names the kind of a refusal only; the log has the reason. */
function logFailures(provider: Provider, log: FastifyBaseLogger): void {
  for (const event of [
    'authorization.error',
    'grant.error',
    'pushed_authorization_request.error',
    'revocation.error',
    'device_authorization.error',
  ])
    provider.on(event, (_context, { error, error_detail }) => {
      if (error !== undefined && WAITING.has(error)) return;
      log.info({ event, reason: error, detail: error_detail }, 'tool refused');
    });
  provider.on('server_error', (_context, error) => log.error({ err: error }, 'authorization server failed'));
}

function configurationOf(identity: ToolContext, jwk: Record<string, unknown>): Record<string, unknown> {
  const { publicUrl, oauthClients } = identity;
  const secure = publicUrl.startsWith('https:');
  const cookie = { httpOnly: true, sameSite: 'lax', secure, signed: false };
  return {
    adapter: createAdapter(identity),
    clients: oauthClients.map(metadataOf),
    jwks: { keys: [jwk] },
    cookies: {
      names: { session: 'oauth-session', ...toolCookies(publicUrl) },
      long: { ...cookie, path: '/oauth' },
      short: { ...cookie, path: '/user/tool/request' },
      keys: [],
    },
    clientAuthMethods: ['none'],
    responseTypes: ['code'],
    scopes: SCOPES,
    claims: { openid: ['sub'], profile: ['nickname', 'preferred_username', 'picture'] },
    // There is no user info endpoint: its tokens would not be those of our API.
    conformIdTokenClaims: false,
    enabledJWA: { idTokenSigningAlgValues: [SIGNING_ALGORITHM] },
    pkce: { required: () => true },
    routes: {
      authorization: '/oauth/authorize',
      token: '/oauth/token',
      pushed_authorization_request: '/oauth/par',
      revocation: '/oauth/revoke',
      device_authorization: '/oauth/device_authorization',
      // A page of ours: the library's is not served.
      code_verification: DEVICE_PATH,
      // Of the key ring, as tokens of earlier keys are valid too.
      jwks: JWKS_PATH,
    },
    features: {
      devInteractions: { enabled: false },
      deviceFlow: { enabled: true },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
      revocation: { enabled: true },
      resourceIndicators: resourceIndicators(toolAudience(publicUrl)),
    },
    extraTokenClaims: ({ oidc }: Callback, { grantId }: { grantId: string }) => {
      const user = oidc.entities.Account?.user;
      return (
        user && { sid: grantId, role: user.role, nick_name: user.nick_name, avatar_url: user.avatar_url }
      );
    },
    rotateRefreshToken: true,
    issueRefreshToken: () => true,
    expiresWithSession: () => false,
    findAccount: (_context: unknown, sub: string, token: { grantId?: string } | undefined) =>
      accountOf(identity, sub, token?.grantId),
    interactions: {
      url: (_context: unknown, { uid }: { uid: string }) => addressOfPage({ [TOOL_REQUEST_PARAMETER]: uid }),
    },
    renderError: (context: { redirect(address: string): void }, { error }: { error: string }) =>
      context.redirect(addressOfPage({ [TOOL_ERROR_PARAMETER]: error })),
    ttl: {
      AccessToken: seconds(ACCESS_TOKEN_LIFETIME),
      AuthorizationCode: seconds(CODE_LIFETIME),
      DeviceCode: REQUEST_SECONDS,
      Grant: seconds(SESSION_LIFETIME),
      IdToken: seconds(ACCESS_TOKEN_LIFETIME),
      Interaction: REQUEST_SECONDS,
      RefreshToken: seconds(SESSION_LIFETIME),
      Session: REQUEST_SECONDS,
    },
  };
}

/** Access tokens are for our API alone, with and without `resource` (RFC 8707). */
function resourceIndicators(audience: string): Record<string, unknown> {
  return {
    enabled: true,
    defaultResource: () => audience,
    useGrantedResource: () => true,
    getResourceServerInfo: (_context: unknown, resource: string, { scope }: { scope: string }) => {
      if (resource !== audience) throw new errors.InvalidTarget();
      const ofClient = scope.split(' ');
      return {
        // What the tool has lost since its user allowed it is left out of new tokens.
        scope: TOOL_SCOPES.filter((name) => ofClient.includes(name)).join(' '),
        audience,
        accessTokenFormat: 'jwt',
        accessTokenTTL: seconds(ACCESS_TOKEN_LIFETIME),
        jwt: { sign: { alg: SIGNING_ALGORITHM } },
      };
    },
  };
}

/** The account of a code or a refresh token, whose grant has the id of its session; undefined if that has ended. */
async function accountOf({ db, now }: SessionContext, sub: string, sid: string | undefined) {
  const user = await findUser(db, Number(sub));
  if (!user || user.disabled_at !== null) return undefined;
  if (sid !== undefined) {
    const session = await findSession(db, sid);
    if (!session || session.revoked_at !== null || session.expires_at.getTime() <= now()) return undefined;
    await recordActivity(db, sid, { at: new Date(now()), since: new Date(now() - ACTIVITY_INTERVAL) });
  }
  const { nick_name: nickname, user_name: preferred_username, avatar_url } = user;
  const picture = avatar_url === '' ? undefined : avatar_url;
  return { accountId: sub, user, claims: () => ({ sub, nickname, preferred_username, picture }) };
}
