import t from 'tap';
import { domainOf, shownDomain } from '../../../../server/community/catalogue/verification/domain.ts';
import { createProve } from '../../../../server/community/catalogue/verification/proof.ts';
import { fakeDns } from '../../../support/fake-dns.ts';

const TOKEN = '0123456789abcdef0123456789abcdef';
const OTHER = 'f'.repeat(32);
const NAME = '_plugin-square.example.com';
const nothing = async () => ({ status: 404, text: '' });

t.test('which names are domains of somebody', async (t) => {
  const named = (typed: string, anySuffix = false) => {
    try {
      return domainOf(typed, { anySuffix }).domain;
    } catch (error) {
      return Object(error).code;
    }
  };
  const FORMS: [string, string][] = [
    ['example.com', 'example.com'],
    [' Example.COM. ', 'example.com'],
    ['https://design.example.co.uk/', 'design.example.co.uk'],
    ['alice.github.io', 'alice.github.io'],
    ['bücher.example.com', 'xn--bcher-kva.example.com'],
  ];
  for (const [typed, domain] of FORMS) t.equal(named(typed), domain, typed);
  for (const typed of [
    'com',
    'co.uk',
    'github.io',
    'localhost',
    '127.0.0.1',
    '0x7f000001',
    '2130706433',
    '[::1]',
    'example.internal',
    'a b.com',
    'user@example.com',
    'example.com:8443',
    'example.com/path',
    '',
  ])
    t.equal(named(typed), 'DOMAIN_REFUSED', typed);
  t.equal(named('tools.corp.internal', true), 'tools.corp.internal');
  t.equal(named('10.0.0.1', true), 'DOMAIN_REFUSED');
});

t.test('letters that could be mistaken are shown as DNS has them', async (t) => {
  const SHOWN: [string, string][] = [
    ['example.com', 'example.com'],
    ['xn--bcher-kva.example', 'bücher.example'],
    ['xn--wgv71a119e.jp', '日本語.jp'],
    ['xn--80ak6aa92e.com', 'xn--80ak6aa92e.com'],
    ['xn--pple-43d.com', 'xn--pple-43d.com'],
  ];
  for (const [domain, shown] of SHOWN) t.equal(shownDomain(domain), shown, domain);
});

t.test('a TXT record proves a domain', async (t) => {
  const records = new Map<string, string[]>();
  const prove = createProve({ resolver: await fakeDns(t, records), readText: nothing });
  const dns = async () => (await prove('example.com', TOKEN)).dns;
  t.strictSame(await dns(), { result: 'missing' });
  records.set(NAME, ['v=spf1 -all', `plugin-square-verification=${OTHER}`]);
  t.strictSame(await dns(), { result: 'other_token', found: OTHER });
  records.set(NAME, [
    'v=spf1 -all',
    `plugin-square-verification=${OTHER}`,
    `plugin-square-verification=${TOKEN}`,
  ]);
  t.strictSame(await dns(), { result: 'proved' });
});

t.test('a name server that does not answer is told from a missing record', async (t) => {
  const prove = createProve({ resolver: '127.0.0.1:9', readText: nothing });
  t.strictSame((await prove('example.com', TOKEN)).dns, { result: 'unreachable' });
});

t.test('a text of the website proves a domain', async (t) => {
  const resolver = await fakeDns(t, new Map());
  const found = async (readText: () => Promise<{ status: number; text: string }>) => {
    const asked: string[] = [];
    const prove = createProve({
      resolver,
      readText: (host, path) => {
        asked.push(`${host}${path}`);
        return readText();
      },
    });
    const { well_known } = await prove('example.com', TOKEN);
    t.strictSame(asked, ['example.com/.well-known/plugin-square']);
    return well_known;
  };
  const says = (text: string, status = 200) => found(async () => ({ status, text }));
  t.strictSame(await says(`${OTHER}\r\n${TOKEN}\r\n`), { result: 'proved' });
  t.strictSame(await says(`plugin-square-verification=${TOKEN}`), { result: 'proved' });
  t.strictSame(await says(`${OTHER}\n`), { result: 'other_token', found: OTHER });
  t.strictSame(await says('<html>secret of the host</html>'), { result: 'missing' });
  t.strictSame(await says(TOKEN, 404), { result: 'missing' });
  t.strictSame(await says(TOKEN, 302), { result: 'redirected' });
  t.strictSame(await says(TOKEN, 500), { result: 'unreachable' });
  t.strictSame(
    await found(async () => {
      throw new Error('reset');
    }),
    { result: 'unreachable' },
  );
});
