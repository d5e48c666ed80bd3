import type { LookupAddress } from 'node:dns';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { LookupFunction } from 'node:net';
import t from 'tap';
import { isPublicAddress, publicLookup, readPublicText } from '../../server/http/public-host.ts';
import { selfSigned } from '../support/certificate.ts';

/** The part of a tap test that is used here. */
interface Teardown {
  teardown(handler: () => void): void;
}

const HOST = 'host.example.com';

/** A lookup of the system with these answers, one after the other; the last one is repeated. */
function resolving(...answers: LookupAddress[][]): NonNullable<Parameters<typeof publicLookup>[0]> {
  let asked = 0;
  return (_, __, answer) => {
    const found = answers[Math.min(asked, answers.length - 1)] ?? [];
    asked += 1;
    answer(null, found);
  };
}

const to = (address: string): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 });

t.test('which addresses are public', async (t) => {
  for (const address of ['93.184.216.34', '2606:4700::1111', '::ffff:93.184.216.34'])
    t.ok(isPublicAddress(address), address);
  for (const address of [
    '127.0.0.1',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '192.0.2.1',
    '::1',
    '::',
    'fe80::1',
    'fc00::1',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    'host',
  ])
    t.notOk(isPublicAddress(address), address);
});

t.test('a host on a private network is not connected to', async (t) => {
  const { cert, key } = selfSigned('ec', [HOST]);
  let connections = 0;
  const server = createServer({ cert, key }, (_, response) => response.end('inside'));
  server.on('connection', () => {
    connections += 1;
  });
  const port = await listening(t, server);
  for (const answers of [
    [[to('127.0.0.1')]],
    [[to('::ffff:127.0.0.1')]],
    [[to('93.184.216.34'), to('127.0.0.1')]],
    [[]],
  ]) {
    const lookup = publicLookup(resolving(...answers));
    await t.rejects(readPublicText(HOST, '/', { lookup, port, ca: cert }), {
      message: /not on the public network/,
    });
  }
  t.equal(connections, 0);
});

t.test('a name that leads elsewhere a moment later is asked about at each connection', async (t) => {
  const lookup = publicLookup(resolving([to('93.184.216.34')], [to('127.0.0.1')]));
  const ask = () =>
    new Promise((resolve) => lookup(HOST, { all: true }, (error, found) => resolve(error?.message ?? found)));
  t.strictSame(await ask(), [to('93.184.216.34')]);
  t.equal(await ask(), `${HOST} is not on the public network`);
});

t.test('addresses and single names are no hosts', async (t) => {
  for (const host of ['127.0.0.1', '0x7f.1', '2130706433', '::1', '[::1]', 'localhost'])
    await t.rejects(readPublicText(host, '/'), { message: /is no domain name/ }, host);
});

t.test('what a host answers', async (t) => {
  const { cert, key } = selfSigned('ec', [HOST]);
  const asked: (readonly [string | undefined, string | undefined, boolean])[] = [];
  let reply: RequestListener = (_, response) => response.end();
  const server = createServer({ cert, key }, (request, response) => {
    const { method, url, headers } = request;
    asked.push([method, url, headers.authorization !== undefined || headers.cookie !== undefined]);
    reply(request, response);
  });
  const port = await listening(t, server);
  const lookup: LookupFunction = (_, { all }, answer) =>
    all ? answer(null, [to('127.0.0.1')]) : answer(null, '127.0.0.1', 4);
  const read = (ca: string | undefined = cert) =>
    readPublicText(HOST, '/.well-known/plugin-square', { lookup, port, ...(ca !== '' && { ca }) });

  t.test('a text comes with its status', async (t) => {
    reply = (_, response) => response.end('token');
    t.strictSame(await read(), { status: 200, text: 'token' });
    t.strictSame(asked.at(-1), ['GET', '/.well-known/plugin-square', false]);
  });
  t.test('redirects are not followed', async (t) => {
    const before = asked.length;
    reply = (_, response) => response.writeHead(302, { location: `https://${HOST}/elsewhere` }).end();
    t.match(await read(), { status: 302 });
    t.equal(asked.length, before + 1);
  });
  t.test('a long or endless body is not read', async (t) => {
    reply = (_, response) => response.end('x'.repeat(4097));
    await t.rejects(read(), { code: 'UND_ERR_RES_EXCEEDED_MAX_SIZE' });
    reply = (_, response) => {
      const more = (): void => {
        if (!response.destroyed) response.write('x'.repeat(1024), () => setImmediate(more));
      };
      more();
    };
    await t.rejects(read(), { code: 'UND_ERR_RES_EXCEEDED_MAX_SIZE' });
  });
  t.test('a slow answer is given up', async (t) => {
    reply = (_, response) => void response.write('x');
    await t.rejects(read(), { name: 'TimeoutError' });
  });
  t.test('a certificate that nobody trusts is refused', async (t) => {
    reply = (_, response) => response.end('token');
    await t.rejects(read(''), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  });
});

async function listening(t: Teardown, server: ReturnType<typeof createServer>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
