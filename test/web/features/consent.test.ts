import t from 'tap';
import {
  consentCookie,
  consentIn,
  currentConsent,
  decideConsent,
  subscribe,
} from '../../../web/features/consent/consent.ts';
import { until } from '../../support/until.ts';
import { webSources } from '../support/sources.ts';

t.test('the consent cookie lasts 180 days, on every path, and is Secure on https only', async (t) => {
  t.equal(
    consentCookie('marketing', true),
    'consent=marketing; Path=/; Max-Age=15552000; SameSite=Lax; Secure',
  );
  t.equal(consentCookie('necessary', false), 'consent=necessary; Path=/; Max-Age=15552000; SameSite=Lax');
});

t.test('consent is parsed from cookies', async (t) => {
  for (const [cookies, consent] of [
    ['consent=marketing', 'marketing'],
    ['lang=en; consent=necessary; theme=dark', 'necessary'],
    ['', undefined],
    ['consent=', undefined],
    ['consent=all', undefined],
    ['consent=marketing2', undefined],
    ['noconsent=marketing', undefined],
    ['theme=consent=marketing', undefined],
  ] as const)
    t.equal(consentIn(cookies), consent, cookies);
});

/** A page in a browser that stores cookies, or rejects them. */
function openPage({ keepsCookies = true, protocol = 'https:' } = {}) {
  const written: string[] = [];
  const page = {
    location: { protocol },
    get cookie() {
      return keepsCookies ? written.map((line) => line.split(';', 1)[0]).join('; ') : '';
    },
    set cookie(line: string) {
      written.push(line);
    },
  };
  Object.assign(globalThis, { document: page });
  return { written };
}

t.test('there is no consent before a decision, which takes effect immediately', async (t) => {
  const { written } = openPage();
  let notifications = 0;
  const end = subscribe(() => {
    notifications += 1;
  });
  t.equal(currentConsent(), undefined);
  decideConsent('marketing');
  t.equal(currentConsent(), 'marketing');
  t.strictSame(written, ['consent=marketing; Path=/; Max-Age=15552000; SameSite=Lax; Secure']);
  // This page and, by the channel, other tabs, of which this page is one.
  await until(() => notifications === 2);
  end();
});

t.test('without cookies a decision lasts for the page', async (t) => {
  openPage({ keepsCookies: false });
  decideConsent('necessary');
  t.equal(currentConsent(), 'necessary');
  decideConsent('marketing');
  t.equal(currentConsent(), 'marketing');
  openPage();
  decideConsent('necessary');
  t.equal(currentConsent(), 'necessary', 'an existing cookie takes precedence');
});

t.test('events are collected where a site does not ask, else only after consent', async (t) => {
  const load = await webSources(t);
  const mayCollect: typeof import('../../../web/layout/privacy-parts.tsx').mayCollect = (
    await load('/layout/privacy-parts.tsx')
  ).mayCollect;
  for (const [when, consent, expected] of [
    ['with-consent', undefined, false],
    ['with-consent', 'necessary', false],
    ['with-consent', 'marketing', true],
    ['always', undefined, true],
    ['always', 'necessary', true],
  ] as const)
    t.equal(mayCollect({ product: 'x', when }, consent), expected, `${when} ${consent}`);
  t.equal(mayCollect(null, 'marketing'), false, 'a site without a collector');
});
