import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { selfSigned } from '../../support/certificate.ts';
import { portOf } from '../../support/port.ts';
import {
  assertion,
  IDP,
  posted,
  requestIdIn,
  response,
  type SamlKeys,
  signed,
} from '../../system/peers/saml-idp.ts';

type Test = { teardown(action: () => Promise<void>): unknown };

async function serve(t: Test, listener: RequestListener): Promise<string> {
  const server = createServer((request, reply) => {
    // Browsers request an icon of every site.
    if (request.url === '/favicon.ico') reply.writeHead(204).end();
    else listener(request, reply);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(async () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://localhost:${portOf(server)}`;
}

/** A SAML provider with one button that posts its signed response. */
export async function startSamlIdp(t: Test, subject: string) {
  const keys: SamlKeys = selfSigned('rsa');
  const origin = await serve(t, (request, reply) => {
    const address = new URL(request.url ?? '/', 'http://idp');
    const recipient = `${address.searchParams.get('site') ?? ''}/user/sso/saml/callback`;
    const audience = recipient.replace(/callback$/, 'metadata');
    const said = {
      requestId: requestIdIn(address),
      recipient,
      audience,
      subject,
      attributes: { displayName: ['Sam Saml'] },
    };
    const xml = signed(response(said, assertion(said)), 'Response', keys);
    const field = (name: string, value: string) => `<input type="hidden" name="${name}" value="${value}">`;
    const state = address.searchParams.get('RelayState') ?? '';
    reply.writeHead(200, { 'content-type': 'text/html' });
    reply.end(
      `<!doctype html><html lang="en"><title>Provider</title><form method="post" action="${recipient}">` +
        `${field('SAMLResponse', posted(xml))}${field('RelayState', state)}<button>Let me in</button></form>`,
    );
  });
  return {
    entityId: IDP,
    urlFor: (site: string) => `${origin}/sso?site=${encodeURIComponent(site)}`,
    cert: keys.cert,
  };
}
