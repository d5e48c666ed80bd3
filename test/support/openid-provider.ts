import { once } from 'node:events';
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { exportJWK, generateKeyPair } from 'jose';
import Provider from 'oidc-provider';
import { portOf } from './port.ts';

export const CLIENT = { id: 'plugin-square', secret: 'CANARY-client-secret-of-32-characters' };

/** Changes a response of the provider. */
export type Tamper = (path: string, body: string) => string | Promise<string>;

export type OpenIdProvider = {
  issuer: string;
  /** Starts the provider; before that, and after `stop`, connections are reset. */
  start(options?: { backchannelLogoutUri?: string; publicUrl?: string }): Promise<void>;
  stop(): void;
  /** Changes the responses of the provider. */
  tamper: Tamper | undefined;
  /** Bodies of the requests to the token endpoint, in order. */
  tokenRequests: URLSearchParams[];
  /** Results of the provider's calls to the gateway. */
  backchannel: string[];
  /** Tokens and codes that the provider has issued. */
  secrets: string[];
};

/**
 * `callbackPath`, `otherPaths`: its redirect paths on the site; `groups`: groups of all its users; `client`: more metadata of
 * the client (OpenID Connect Dynamic Client Registration 1.0 section 2).
 */
type ProviderOptions = {
  client?: Record<string, unknown>;
  callbackPath?: string;
  otherPaths?: readonly string[];
  groups?: readonly string[];
};

type Test = { teardown(work: () => Promise<void>): void };

/** panva's oidc-provider on a real port behind our proxy. It signs in any user by `login_hint`. */
export async function openIdProvider(
  t: Test,
  publicUrl: string,
  { callbackPath = '/api/auth/callback', otherPaths = [], groups = [], client = {} }: ProviderOptions = {},
): Promise<OpenIdProvider> {
  let inner: RequestListener | undefined;
  const backend = await listen(t, (request, response) => inner?.(request, response));
  const front = await listen(t, (request, response) => void pass(request, response));
  const issuer = `http://127.0.0.1:${front}`;

  const openid: OpenIdProvider = {
    issuer,
    tamper: undefined,
    tokenRequests: [],
    backchannel: [],
    secrets: [],
    stop() {
      inner = undefined;
    },
    async start({ backchannelLogoutUri, publicUrl: site = publicUrl } = {}) {
      const provider = new Provider(
        issuer,
        await configuration(site, { backchannelLogoutUri, callbackPath, otherPaths, groups, client }),
      );
      provider.on('backchannel.success', () => openid.backchannel.push('success'));
      provider.on('backchannel.error', (_context, error) => openid.backchannel.push(String(error)));
      const callback = provider.callback();
      inner = (request, response) => {
        if (request.url?.startsWith('/interaction/')) void interact(provider, request, response);
        else callback(request, response);
      };
    },
  };

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const sent = Buffer.concat(await request.toArray());
    const path = request.url?.split('?', 1)[0] ?? '';
    if (!inner) return void response.destroy();
    if (path === '/token') openid.tokenRequests.push(new URLSearchParams(sent.toString()));
    const { method, headers, url } = request;
    const asked = httpRequest({ host: '127.0.0.1', port: backend, method, path: url, headers });
    asked.end(sent);
    const [answer] = await once(asked, 'response');
    const body = Buffer.concat(await answer.toArray()).toString();
    if (path === '/token') openid.secrets.push(...tokensIn(body));
    const changed = openid.tamper ? await openid.tamper(path, body) : body;
    const length = String(Buffer.byteLength(changed));
    response.writeHead(answer.statusCode, { ...answer.headers, 'content-length': length });
    response.end(changed);
  }
  return openid;
}

function tokensIn(body: string): string[] {
  const { access_token, refresh_token, id_token } = JSON.parse(body);
  return [access_token, refresh_token, id_token].filter((token) => typeof token === 'string');
}

async function listen(t: Test, listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(async () => {
    server.close();
    server.closeAllConnections();
  });
  return portOf(server);
}

/** Signs in and consents immediately, in place of the provider's own pages. */
async function interact(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt, params, session } = await provider.interactionDetails(request, response);
  if (prompt.name === 'login') {
    const accountId = String(params.login_hint ?? 'ada');
    return provider.interactionFinished(request, response, { login: { accountId } });
  }
  const grant = new provider.Grant({ accountId: session?.accountId ?? '', clientId: CLIENT.id });
  grant.addOIDCScope(String(params.scope));
  const consent = { grantId: await grant.save() };
  return provider.interactionFinished(request, response, { consent }, { mergeWithLastSubmission: true });
}

async function configuration(
  publicUrl: string,
  {
    backchannelLogoutUri,
    callbackPath,
    otherPaths,
    groups,
    client,
  }: Required<ProviderOptions> & { backchannelLogoutUri: string | undefined },
): Promise<Record<string, unknown>> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return {
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'test' }] },
    cookies: { keys: ['only for tests'] },
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [callbackPath, ...otherPaths].map((path) => publicUrl + path),
        post_logout_redirect_uris: [`${publicUrl}/plugins/`],
        grant_types: ['authorization_code', 'refresh_token'],
        ...(backchannelLogoutUri !== undefined && {
          backchannel_logout_uri: backchannelLogoutUri,
          backchannel_logout_session_required: true,
        }),
        ...client,
      },
    ],
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      revocation: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (context: { body: string }, form: string) => {
          context.body = form;
        },
      },
    },
    claims: {
      openid: ['sub'],
      profile: ['name', 'nickname', 'preferred_username', 'picture', 'gender', 'birthdate', 'groups'],
      email: ['email'],
    },
    pkce: { required: () => true },
    rotateRefreshToken: true,
    issueRefreshToken: () => true,
    expiresWithSession: () => false,
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_context: unknown, sub: string) => ({
      accountId: sub,
      claims: () => ({
        sub,
        name: `${sub} Lovelace`,
        nickname: sub,
        preferred_username: `${sub}.l`,
        email: `${sub}@example.org`,
        picture: 'https://pictures.example/ada.png',
        gender: 'female',
        birthdate: '1815-12-10',
        groups,
      }),
    }),
    renderError: (context: { type: string; body: string }, out: Record<string, unknown>) => {
      context.type = 'json';
      context.body = JSON.stringify(out);
    },
    /** By default the provider sends no requests to this machine. */
    fetch: (url: string, { dispatcher: _guarded, ...options }: RequestInit & { dispatcher?: unknown }) =>
      fetch(url, options),
    ttl: {
      AccessToken: 3600,
      IdToken: 3600,
      RefreshToken: 86_400,
      Session: 86_400,
      Grant: 86_400,
      Interaction: 600,
    },
  };
}
