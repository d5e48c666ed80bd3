import t from 'tap';
import { consentCookie, consentIn } from '../../../web/features/consent/consent-cookie.ts';

t.test('a decision is kept for 180 days, on every path, and only over https when there', async (t) => {
  t.equal(
    consentCookie('marketing', true),
    'consent=marketing; Path=/; Max-Age=15552000; SameSite=Lax; Secure',
  );
  t.equal(consentCookie('necessary', false), 'consent=necessary; Path=/; Max-Age=15552000; SameSite=Lax');
});

t.test('what the cookies say', async (t) => {
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
