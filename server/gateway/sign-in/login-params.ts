import { createHash } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import {
  BASE_PATH,
  BIND_PATH,
  CALLBACK_PATH,
  LOGIN_PATH,
  PUBLISH_PATHS,
  VERIFY_PATH,
} from '../../../shared/constants.ts';
import { authRoutes } from '../../../shared/routes/auth.ts';
import { appError } from '../../http/errors.ts';
import type { GatewayConfig } from '../options.ts';
import type { Transaction } from './cookies.ts';

/** Parameters for the login page beside the deployment's settings (R 2.18, R 2.19). */
const LoginParams = Type.Pick(authRoutes.startLogin.query, [
  'page',
  'force',
  'ux_from',
  'login_source_id',
  'app_name',
  'bind_other',
]);
export type LoginParams = Static<typeof LoginParams>;

/** Key of the PKCE verifier (RFC 7636) in the secrets of a transaction. */
export const VERIFIER = 'verifier';

/** Longer encoded URLs do not fit into the transaction cookie. */
const MAIN_URL_LENGTH = 1536;

export function loginOrigin({ auth, login }: Pick<GatewayConfig, 'auth' | 'login'>): string {
  return new URL(auth.provider === 'oidc' ? (auth.oidc.issuer ?? login.url) : login.url).origin;
}

/** Whether the login page is that of our own identity service; its URL may have a query. */
export function isOwnLoginPage({ auth, login, publicUrl }: GatewayConfig): boolean {
  if (auth.provider !== 'user-service') return false;
  const { origin, pathname } = new URL(login.url);
  return origin + pathname === publicUrl + LOGIN_PATH;
}

/** Whether our own identity service manages accounts: here, or at IDENTITY_URL with our login page. */
export function hasLocalAccounts(config: GatewayConfig): boolean {
  if (config.auth.provider !== 'user-service') return false;
  return config.upstreams.identity === undefined || isOwnLoginPage(config);
}

/** The path of `GET /api/auth/login` with these parameters. */
export function startPath(parameters: Record<string, string>): string {
  return `${authRoutes.startLogin.path}?${new URLSearchParams(parameters)}`;
}

/** The redirect URI of a sign-in. It contains the nonce, because the login contract has no `state` (R 9.9). */
export function callbackUrl({ publicUrl }: GatewayConfig, nonce: string): string {
  const callback = new URL(CALLBACK_PATH, publicUrl);
  callback.searchParams.set('nonce', nonce);
  return callback.href;
}

/**
 * The login page's URL with its parameters (R 2.18). The PKCE challenge binds the code to this
 * browser, which has the verifier in its encrypted transaction. The force flag is not sent: the page always asks for
 * credentials. `purpose` sets the heading of our own login page.
 */
export function loginUrl(
  config: GatewayConfig,
  { nonce, return_to, ux_mode, secrets }: Transaction,
  { force: _, ...params }: LoginParams,
): string {
  const { login } = config;
  const url = new URL(login.url);
  const challenge = createHash('sha256').update(secrets[VERIFIER] ?? '');
  const parameters = {
    response_type: 'code',
    redirect_uri: callbackUrl(config, nonce),
    code_challenge: challenge.digest('base64url'),
    code_challenge_method: 'S256',
    from: login.from,
    channel: login.channel,
    product: login.product,
    ux_mode,
    ...params,
    ...(isOwnLoginPage(config) && return_to.startsWith(PUBLISH_PATHS) && { purpose: 'publish' }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** Drops unknown parameters, which could override the gateway's own. @throws AppError VALIDATION_FAILED */
export function validateLoginParams(asked: LoginParams): LoginParams {
  const { page, ux_from, login_source_id, app_name, bind_other } = asked;
  if ((ux_from === undefined) !== (login_source_id === undefined)) {
    throw invalidParameter('/login_source_id', 'goes with ux_from, and neither without the other');
  }
  if (app_name !== undefined && ux_from === undefined)
    throw invalidParameter('/app_name', 'goes with ux_from');
  if (bind_other && page) throw invalidParameter('/bind_other', 'does not go with page=sign_up');
  return Value.Parse(LoginParams, Value.Clean(LoginParams, asked));
}

function invalidParameter(pointer: string, message: string) {
  return appError('VALIDATION_FAILED', { details: [{ pointer, message }] });
}

/** The URL if it fits into the transaction cookie, else the home page. */
export function storableMainUrl(mainUrl: string): string {
  return encodeURIComponent(mainUrl).length > MAIN_URL_LENGTH ? BASE_PATH : mainUrl;
}

/** The bind page (R 2.20). `returnTo`: next page; `folder`: of the document service. */
export function bindPath(
  params: Readonly<Record<string, string>>,
  { returnTo, folder }: { returnTo: string; folder: string | undefined },
): string {
  const query = new URLSearchParams({
    ...params,
    mainUrl: storableMainUrl(returnTo),
    ...(folder !== undefined && { txDocFolderId: folder }),
  });
  return `${BIND_PATH}?${query}`;
}

/** Maximum length of an external URL. */
const URL_LENGTH = 2048;

/** A path that still changes after this many decodings is refused. */
const MAX_DECODINGS = 3;

/**
 * The target after a sign-in: a normalized path of this site with query and hash. Anything that a browser, a proxy or a
 * second decoding could read as another origin becomes the home page (R 9.10).
 */
export function returnPath(returnTo: string | undefined, publicUrl: string): string {
  if (returnTo === undefined || !isPlainPath(returnTo) || !URL.canParse(returnTo, publicUrl))
    return BASE_PATH;
  const { origin, pathname, search, hash } = new URL(returnTo, publicUrl);
  if (origin !== new URL(publicUrl).origin || !isPlainPath(pathname)) return BASE_PATH;
  return isPage(pathname) ? pathname + search + hash : BASE_PATH;
}

/** Whether the path starts with exactly one slash after any number of decodings. */
function isPlainPath(value: string): boolean {
  let text = value.split(/[?#]/, 1)[0] ?? '';
  for (let round = 0; round < MAX_DECODINGS; round += 1) {
    if (!text.startsWith('/') || text.startsWith('//') || /[\\\s]|\p{Cc}|\p{Cf}/u.test(text)) return false;
    const decoded = decode(text);
    if (decoded === undefined) return false;
    if (decoded === text) return true;
    text = decoded;
  }
  return false;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Returning to a call or the login page would loop; the bind and verify pages need a session. */
function isPage(pathname: string): boolean {
  const path = decode(pathname)?.toLowerCase() ?? '';
  if (path === BIND_PATH || path === VERIFY_PATH) return true;
  return !path.startsWith('/api/') && path !== LOGIN_PATH && !path.startsWith(`${LOGIN_PATH}/`);
}

/** A normalized absolute http(s) URL without credentials; null for anything else. */
export function webAddress(value: unknown): string | null {
  if (
    typeof value !== 'string' ||
    value.length > URL_LENGTH ||
    !/^https?:\/\/[^\s\\\p{Cc}\p{Cf}]+$/iu.test(value)
  ) {
    return null;
  }
  const url = URL.canParse(value) ? new URL(value) : undefined;
  return url && url.username === '' && url.password === '' ? url.href : null;
}
