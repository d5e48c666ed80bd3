import { createHash } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { BASE_PATH, BIND_PATH, CALLBACK_PATH, LOGIN_PATH, PUBLISH_PATHS } from '../../../shared/constants.ts';
import { authRoutes } from '../../../shared/routes/auth.ts';
import { appError } from '../../http/errors.ts';
import type { GatewayConfig } from '../options.ts';
import type { Transaction } from './cookies.ts';

/** What the login page is to know beside the deployment's settings (specification section 2, "Login page"). */
const LoginParams = Type.Pick(authRoutes.startLogin.query, [
  'page',
  'force',
  'ux_from',
  'login_source_id',
  'app_name',
  'bind_other',
]);
export type LoginParams = Static<typeof LoginParams>;

/** Under which name a sign-in keeps the verifier of its code challenge (RFC 7636). */
export const VERIFIER = 'verifier';

/** Longer addresses of where to go on, as the query has them, do not fit into a cookie together with the rest. */
const MAIN_URL_LENGTH = 1536;

/** Origin of the login page, which may stand in a frame of ours. */
export function loginOrigin({ auth, login }: Pick<GatewayConfig, 'auth' | 'login'>): string {
  return new URL(auth.provider === 'oidc' ? (auth.oidc.issuer ?? login.url) : login.url).origin;
}

/** Whether people sign in on the page of our own identity service; its address may hold a query. */
export function isOwnLoginPage({ auth, login, publicUrl }: GatewayConfig): boolean {
  if (auth.provider !== 'user-service') return false;
  const { origin, pathname } = new URL(login.url);
  return origin + pathname === publicUrl + LOGIN_PATH;
}

/**
 * Whether the accounts are those of our own identity service: it runs here, or at IDENTITY_URL with our own sign-in page,
 * which no other service answers.
 */
export function hasLocalAccounts(config: GatewayConfig): boolean {
  if (config.auth.provider !== 'user-service') return false;
  return config.upstreams.identity === undefined || isOwnLoginPage(config);
}

/** The path that begins a sign-in with these parameters of `GET /api/auth/login`. */
export function startPath(parameters: Record<string, string>): string {
  return `${authRoutes.startLogin.path}?${new URLSearchParams(parameters)}`;
}

/** Where the login page leads back to: the contract has no `state`, so the nonce of the sign-in travels in it. */
export function callbackUrl({ publicUrl }: GatewayConfig, nonce: string): string {
  const callback = new URL(CALLBACK_PATH, publicUrl);
  callback.searchParams.set('nonce', nonce);
  return callback.href;
}

/**
 * The login page's address with its parameters (specification section 2). The challenge binds the code that comes back
 * to this browser, whose encrypted transaction has the verifier. The page knows no force flag: it asks who signs in anyway.
 * Our own page also learns that one signs in to publish, for its heading.
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

/**
 * What the login page is to know, once it makes sense together: a document service is named by its kind and its id, and
 * who binds an account they have makes no new one. Whatever else an address says is left behind: it would stand in for
 * what the gateway itself tells the login page.
 * @throws AppError VALIDATION_FAILED
 */
export function validateLoginParams(asked: LoginParams): LoginParams {
  const { page, ux_from, login_source_id, app_name, bind_other } = asked;
  if ((ux_from === undefined) !== (login_source_id === undefined)) {
    throw refused('/login_source_id', 'goes with ux_from, and neither without the other');
  }
  if (app_name !== undefined && ux_from === undefined) throw refused('/app_name', 'goes with ux_from');
  if (bind_other && page) throw refused('/bind_other', 'does not go with page=sign_up');
  return Value.Parse(LoginParams, Value.Clean(LoginParams, asked));
}

function refused(pointer: string, message: string) {
  return appError('VALIDATION_FAILED', { details: [{ pointer, message }] });
}

/** Where to go on, if that fits into a cookie; else home. */
export function fittingMainUrl(mainUrl: string): string {
  return encodeURIComponent(mainUrl).length > MAIN_URL_LENGTH ? BASE_PATH : mainUrl;
}

/**
 * The bind page (specification section 2) for what is named by `what`; from there users go on to `returnTo`, a path of
 * this site. `folder`: of the document service they come from.
 */
export function bindPath(
  what: Readonly<Record<string, string>>,
  { returnTo, folder }: { returnTo: string; folder: string | undefined },
): string {
  const query = new URLSearchParams({
    ...what,
    mainUrl: fittingMainUrl(returnTo),
    ...(folder !== undefined && { txDocFolderId: folder }),
  });
  return `${BIND_PATH}?${query}`;
}
