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

/** One request exactly as given, without following anything. */
export function send(
  url: string,
  path: string,
  { method = 'GET', headers = {}, body, signal }: Sending = {},
  agent?: Agent,
): Promise<Received> {
  const { hostname, port } = new URL(url);
  /** Node frames the body of a DELETE by nothing unless it is told its length. */
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
  /** Everything the gateway has sent to this browser: heads and bodies. */
  received: string[];
  /** A call of the single-page application. */
  call(path: string, sending?: Sending): Promise<Received>;
  /** A navigation; `site` is what Sec-Fetch-Site says of it. */
  visit(path: string, options?: { site?: string; headers?: Record<string, string> }): Promise<Received>;
  /** Signs in through the login page with a code of the stub user service; answers the callback's response. */
  signIn(options?: { code?: string; returnTo?: string; uxMode?: string }): Promise<Received>;
  close(): void;
};

/** What differs from one gateway to the next: how a sign-in begins, and what the application's calls prove. */
export type Dialect = {
  /** The address of a return path is appended to this. */
  loginPath: string;
  headers: Record<string, string>;
};

const OWN_DIALECT: Dialect = {
  loginPath: '/api/auth/login?return_to=',
  headers: { 'x-requested-with': 'plugin-square' },
};

/** A browser as far as cookies and the application's headers go. */
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

/** What the login page is opened with, for who signs in there without looking at it. */
export function loginParameters({ headers }: Pick<Received, 'headers'>): Record<string, string> {
  return Object.fromEntries(new URL(headers.location ?? 'about:blank').searchParams);
}

/** What a Cookie header says of these, in the order they came. */
export function cookieHeader(cookies: ReadonlyMap<string, string>): string {
  return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
}

/** Keeps or deletes the cookie of a Set-Cookie line, as a browser does. */
export function storeCookie(cookies: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split('; ');
  const name = pair.slice(0, pair.indexOf('='));
  if (attributes.includes('Max-Age=0')) cookies.delete(name);
  else cookies.set(name, pair.slice(name.length + 1));
}
