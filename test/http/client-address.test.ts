import type { IncomingHttpHeaders } from 'node:http';
import Fastify from 'fastify';
import t from 'tap';
import { networkOf, plainAddress, readClientAddress } from '../../server/http/client-address.ts';

t.test('spellings of an address (RFC 7239 section 6)', (t) => {
  for (const [node, address] of [
    ['198.51.100.7', '198.51.100.7'],
    [' 198.51.100.7 ', '198.51.100.7'],
    ['198.51.100.7:4711', '198.51.100.7'],
    ['"198.51.100.7:4711"', '198.51.100.7'],
    ['198.51.100.7:_port', '198.51.100.7'],
    ['2001:db8::1', '2001:db8::1'],
    ['2001:0DB8:0:0::0001', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['"[2001:db8::1]:_port"', '2001:db8::1'],
    ['"[2001:DB8::1]"', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['[fe80::1%25eth0]:80', 'fe80::1'],
    ['::ffff:198.51.100.7', '198.51.100.7'],
    ['::ffff:c633:6407', '198.51.100.7'],
    ['[::ffff:198.51.100.7]:4711', '198.51.100.7'],
    ['', undefined],
    ['unknown', undefined],
    ['_hidden', undefined],
    ['1', undefined],
    ['1.2.3', undefined],
    ['0x7f.0.0.1', undefined],
    ['010.0.0.1', undefined],
    ['256.1.1.1', undefined],
    ['198.51.100.7:', undefined],
    ['198.51.100.7:123456', undefined],
    ['"198.51.100.7', undefined],
    ['[198.51.100.7]', undefined],
    ['[2001:db8::1', undefined],
    ['2001:db8::1]', undefined],
    ['2001:db8::12345', undefined],
    ['example.org', undefined],
    ['198.51.100.7 198.51.100.8', undefined],
    [`${':'.repeat(100_000)}x`, undefined],
  ] as const) {
    t.equal(plainAddress(node), address, node);
  }
  t.end();
});

t.test('an IPv6 network counts as one address', (t) => {
  t.equal(networkOf('198.51.100.7'), '198.51.100.7');
  t.equal(networkOf('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64');
  t.equal(networkOf('2001:db8:1:2::9'), '2001:db8:1:2::/64');
  t.equal(networkOf('2001:db8::1'), '2001:db8:0:0::/64');
  t.equal(networkOf('::1'), '0:0:0:0::/64');
  t.equal(networkOf('unknown'), 'unknown');
  t.end();
});

t.test('the client of a request', async (t) => {
  async function clientOf(trustProxy: string[], headers: IncomingHttpHeaders, remoteAddress = '10.0.0.1') {
    const app = Fastify();
    readClientAddress(app, trustProxy);
    app.get('/', async ({ clientAddress }) => clientAddress);
    t.teardown(() => app.close());
    return (await app.inject({ url: '/', headers, remoteAddress })).body;
  }
  const from = (text: string) => ({ 'x-forwarded-for': text });
  const office = ['10.0.0.0/8', '2001:db8:f::/48'];

  t.equal(await clientOf([], from('198.51.100.7')), '10.0.0.1', 'no proxy is trusted');
  t.equal(await clientOf([], {}, '::ffff:203.0.113.5'), '203.0.113.5');
  t.equal(await clientOf(office, {}), '10.0.0.1');
  t.equal(await clientOf(office, from('198.51.100.7:4711')), '198.51.100.7');
  t.equal(await clientOf(office, from('198.51.100.7'), '::ffff:10.0.0.1'), '198.51.100.7');
  t.equal(await clientOf(office, from('198.51.100.7'), '203.0.113.5'), '203.0.113.5', 'not one of them');
  t.equal(await clientOf(office, from('1.1.1.1, 198.51.100.7:1, 10.2.2.2:2')), '198.51.100.7');
  t.equal(await clientOf(office, from('198.51.100.7, "[2001:db8:f::2]:443"')), '198.51.100.7');
  t.equal(await clientOf(office, from('198.51.100.7, unknown, 10.2.2.2')), '10.2.2.2', 'the proxy counts');
  t.equal(await clientOf(office, from('198.51.100.7, ')), '10.0.0.1');
});
