import { createServer } from 'node:http';
import type { Client } from '../client.ts';

type LoopbackOptions = {
  scope: readonly string[];
  /** Opens the address in the user's browser: `shell.openExternal` in Electron, `open` of npm elsewhere. */
  open: (url: string) => unknown;
  /** What the browser shows when it has come back, as text. */
  done?: string;
  /** Path of the redirect URI `http://127.0.0.1/callback`. */
  path?: string;
  signal?: AbortSignal;
};

/**
 * Signs in with the user's browser, which comes back to a port of this device (RFC 8252 section 7.3). The operator registers
 * `http://127.0.0.1/callback`; any port matches.
 * @throws ClientError as `completeSignIn`; the signal's reason
 */
export async function signInByLoopback(
  client: Client,
  { scope, open, done = 'You can close this window.', path = '/callback', signal }: LoopbackOptions,
): Promise<void> {
  const { promise: returned, resolve, reject } = promised<string>();
  const server = createServer((request, response) => {
    const isAnswer = request.method === 'GET' && request.url?.startsWith(`${path}?`);
    response.writeHead(isAnswer ? 200 : 404, {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      connection: 'close',
    });
    response.end(isAnswer ? done : '');
    if (isAnswer) resolve(`http://127.0.0.1${request.url}`);
  });
  signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  try {
    signal?.throwIfAborted();
    await new Promise<void>((listening, failed) => {
      server.once('error', failed);
      server.listen(0, '127.0.0.1', listening);
    });
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const { url } = await client.beginSignIn({ redirectUri: `http://127.0.0.1:${port}${path}`, scope });
    await open(url);
    await client.completeSignIn(await returned);
  } finally {
    server.close();
    server.closeIdleConnections();
  }
}

/** `Promise.withResolvers`, which Node 20 lacks. */
function promised<T>() {
  let resolve: (value: T) => void = () => undefined;
  let reject: (reason: unknown) => void = () => undefined;
  const promise = new Promise<T>((...given) => {
    [resolve, reject] = given;
  });
  // It may be aborted before anybody waits.
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}
