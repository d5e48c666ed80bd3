import t from 'tap';
import { domainsOf, frameAddress } from '../../../packages/sandbox/domains.ts';
import { frameResponse } from '../../../packages/sandbox/frame-response.ts';

const HOST = 'https://square.example';
const queryOf = (domains: readonly string[]) =>
  new URL(frameAddress('https://play.example/frame', domains)).search;

/** Directives of the policy by name. */
function policyOf(query: string, ancestors = [HOST]): Record<string, string> {
  const { headers } = frameResponse(query, ancestors);
  const directives = (headers['content-security-policy'] ?? '').split('; ');
  return Object.fromEntries(
    directives.map((text) => [text.split(' ')[0] ?? '', text.slice(text.indexOf(' ') + 1)]),
  );
}

t.test('the frame document of a plugin without network reaches nothing', async (t) => {
  t.strictSame(policyOf(queryOf([])), {
    sandbox: 'allow-scripts',
    'default-src': "'none'",
    'script-src': "'unsafe-inline' 'unsafe-eval'",
    'worker-src': 'blob:',
    'style-src': "'unsafe-inline'",
    'connect-src': "'none'",
    'img-src': 'data: blob:',
    'font-src': 'data: blob:',
    'media-src': 'data: blob:',
    'frame-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'require-trusted-types-for': "'script'",
    'trusted-types': 'default',
    'frame-ancestors': HOST,
  });
});

t.test('it asks for a process of its own', async (t) => {
  t.equal(frameResponse(queryOf([]), [HOST]).headers['origin-agent-cluster'], '?1');
});

t.test('declared domains are sources of data, never of code', async (t) => {
  const domains = [
    'api.example.com',
    '*.cdn.example',
    'https://a.example:8443/v1/',
    'ws://b.example',
    '例子.example',
  ];
  const policy = policyOf(queryOf(domains), []);
  const sources = [
    ...['https://api.example.com', 'wss://api.example.com', 'https://*.cdn.example', 'wss://*.cdn.example'],
    ...['https://a.example:8443/v1/', 'ws://b.example'],
    ...['https://xn--fsqu00a.example', 'wss://xn--fsqu00a.example'],
  ].join(' ');
  t.equal(policy['connect-src'], sources);
  t.equal(policy['img-src'], `data: blob: ${sources}`);
  t.equal(policy['script-src'], "'unsafe-inline' 'unsafe-eval'");
  t.equal(policy['frame-ancestors'], "'none'", 'without a host nobody may frame it');
  t.equal(policyOf(queryOf(['*']))['connect-src'], 'http: https: ws: wss:');
});

t.test('a query that could change the policy is refused', async (t) => {
  const domains = [
    ...[
      'a.example; script-src *',
      'a.example script-src',
      "'self'",
      'a.example,b.example',
      'data:',
      'https:',
      '',
    ],
    ...[
      'a.example\n',
      'a.example/;x',
      'a.example:70000',
      'javascript://a.example',
      'A.example',
      'a_.example',
    ],
    ...['*.', '**', '*.*', 'https://*', 'a..example', '[::1]/ x', 'a.example?x', 'a.example#x'],
  ];
  for (const domain of domains) {
    const query = new URLSearchParams({ version: '1', domain });
    const { status, headers, body } = frameResponse(`?${query}`, [HOST]);
    t.equal(status, 400, JSON.stringify(domain));
    t.equal(headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'; sandbox");
    t.notMatch(body, '<');
  }
  for (const query of ['', 'version=2', 'version=1&version=1', 'version=1&x=1'])
    t.equal(frameResponse(query, [HOST]).status, 400, query);
  t.equal(frameResponse(queryOf(Array(64).fill('a.example')), [HOST]).status, 200);
  t.equal(
    frameResponse(queryOf(Array(65).fill('a.example')), [HOST]).status,
    400,
    'more than a manifest may have',
  );
});

t.test('domains come from the manifest as in the design tools', async (t) => {
  t.strictSame(domainsOf({ networkAccess: { allowedDomains: ['none'] } }), []);
  t.strictSame(domainsOf({ networkAccess: { allowedDomains: ['a.example', 7] } }), ['a.example']);
  t.strictSame(domainsOf({}), ['*'], 'without a declaration');
});
