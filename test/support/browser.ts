import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';

export type Received = {
  status: number;
  headers: IncomingHttpHeaders;
  setCookies: string[];
  text: string;
  bytes: Buffer;
  /** The body as JSON. */
  json(): { code: unknown; message: string; data: Record<string, unknown> } & Record<string, unknown>;
};

export type Sending = {
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer | Readable | undefined;
  signal?: AbortSignal;
};

/** Sends one request as it is, without following redirects. */
export function send(
  url: string,
  path: string,
  { method = 'GET', headers = {}, body, signal }: Sending = {},
  agent?: Agent,
): Promise<Received> {
  const { hostname, port } = new URL(url);
  /** Node sends no Content-Length for the body of a DELETE by itself. */
  const length = typeof body === 'string' || Buffer.isBuffer(body) ? Buffer.byteLength(body) : undefined;
  const framed = { ...headers, ...(length !== undefined && { 'content-length': String(length) }) };
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      hostname,
      port,
      path,
      method,
      headers: framed,
      ...(signal && { signal }),
      ...(agent && { agent }),
    });
    request.on('error', reject);
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const bytes = Buffer.concat(chunks);
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          setCookies: response.headers['set-cookie'] ?? [],
          text: bytes.toString('utf8'),
          bytes,
          json: () => JSON.parse(bytes.toString('utf8')),
        });
      });
    });
    if (body === undefined || typeof body === 'string' || Buffer.isBuffer(body)) request.end(body);
    else body.pipe(request);
  });
}

export type Browser = {
  cookies: Map<string, string>;
  /** Everything that the gateway has sent to this browser: headers and bodies. */
  received: string[];
  /** A call of the single-page application. */
  call(path: string, sending?: Sending): Promise<Received>;
  /** A navigation; `site` is the value of Sec-Fetch-Site. */
  visit(path: string, options?: { site?: string; headers?: Record<string, string> }): Promise<Received>;
  /** Signs in on the login page with a code of the stub user service. @returns the callback's response */
  signIn(options?: { code?: string; returnTo?: string; uxMode?: string }): Promise<Received>;
  close(): void;
};

/** Differences between gateways: start of the sign-in, and proofs in the application's calls. */
export type Dialect = {
  /** The return address is appended to it. */
  loginPath: string;
  headers: Record<string, string>;
};

const OWN_DIALECT: Dialect = {
  loginPath: '/api/auth/login?return_to=',
  headers: { 'x-requested-with': 'plugin-square' },
};

/** A browser with cookies and the application's headers. */
export function openBrowser(url: string, publicUrl: string, dialect: Dialect = OWN_DIALECT): Browser {
  const cookies = new Map<string, string>();
  const received: string[] = [];
  const agent = new Agent({ keepAlive: false });

  async function exchange(path: string, sending: Sending): Promise<Received> {
    const cookie = cookieHeader(cookies);
    const headers = { ...(cookie !== '' && { cookie }), ...sending.headers };
    const answer = await send(url, path, { ...sending, headers }, agent);
    received.push(JSON.stringify(answer.headers), answer.text);
    for (const line of answer.setCookies) storeCookie(cookies, line);
    return answer;
  }
  const call: Browser['call'] = (path, sending = {}) =>
    exchange(path, {
      ...sending,
      headers: {
        ...dialect.headers,
        'x-page-path': '/plugins/',
        'sec-fetch-site': 'same-origin',
        ...(sending.method !== undefined && sending.method !== 'GET' && { origin: publicUrl }),
        ...(typeof sending.body === 'string' && { 'content-type': 'application/json' }),
        ...sending.headers,
      },
    });
  const visit: Browser['visit'] = (path, { site = 'none', headers = {} } = {}) =>
    exchange(path, {
      headers: { accept: 'text/html,application/xhtml+xml', 'sec-fetch-site': site, ...headers },
    });
  return {
    cookies,
    received,
    call,
    visit,
    async signIn({ code = 'good', returnTo = '/plugins/', uxMode } = {}) {
      const mode = uxMode ? `&ux_mode=${uxMode}` : '';
      const started = await visit(dialect.loginPath + encodeURIComponent(returnTo) + mode);
      const login = new URL(started.headers.location ?? '');
      const callback = new URL(login.searchParams.get('redirect_uri') ?? '');
      callback.searchParams.set('code', code);
      return visit(callback.pathname + callback.search, { site: 'same-origin' });
    },
    close: () => agent.destroy(),
  };
}

/** Parameters of the login page, for tests that do not render it. */
export function loginParameters({ headers }: Pick<Received, 'headers'>): Record<string, string> {
  return Object.fromEntries(new URL(headers.location ?? 'about:blank').searchParams);
}

/** The Cookie header of these cookies, in order. */
export function cookieHeader(cookies: ReadonlyMap<string, string>): string {
  return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
}

/** Stores or deletes the cookie of a Set-Cookie header, like a browser. */
export function storeCookie(cookies: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split('; ');
  const name = pair.slice(0, pair.indexOf('='));
  if (attributes.includes('Max-Age=0')) cookies.delete(name);
  else cookies.set(name, pair.slice(name.length + 1));
}
