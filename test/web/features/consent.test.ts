import t from 'tap';
import type { UserInfo } from '../../../shared/entities/user.ts';
import { profileOf, withoutQueries } from '../../../web/features/analytics/collection.ts';
import {
  consentCookie,
  consentIn,
  currentConsent,
  decideConsent,
  subscribe,
} from '../../../web/features/consent/consent.ts';
import { preferenceCookie } from '../../../web/features/preferences/preference-cookie.ts';
import { until } from '../../support/until.ts';
import { webSources } from '../support/sources.ts';

t.test('consent', async (t) => {
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
    const mayCollect: typeof import('../../../web/layout/privacy-controls.tsx').mayCollect = (
      await load('/layout/privacy-controls.tsx')
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
});

t.test('analytics', async (t) => {
  const USER: UserInfo = {
    user_id: 7,
    user_name: 'mei',
    nick_name: 'Mei Lin',
    email: 'mei@example.com',
    mobile: '+86 100',
    sex: 2,
    birthday: '1990-01-02',
    channel: 'official',
    tencent_docs: false,
    avatar_url: '/picture.webp',
    created_at: '2026-01-02T03:04:05Z',
    department: 'Design',
    e_id: 3,
    is_administrator: true,
    is_owner: true,
    staff_status: 1,
    account_id: 9,
    identification: 'secret-number',
  };

  t.test('the profile has exactly the fields of R 11.20', async (t) => {
    t.strictSame(profileOf(USER), {
      yt_uid: 7,
      user_name: 'mei',
      nick_name: 'Mei Lin',
      email: 'mei@example.com',
      mobile: '+86 100',
      sex: 2,
      birthday: '1990-01-02',
      channel: 'official',
    });
  });

  t.test('users from the document service get its channel', async (t) => {
    t.equal(profileOf({ ...USER, tencent_docs: true }).co_channel_from, 'tencent_docs');
  });

  t.test('URLs in events are cut after the path, in every property', async (t) => {
    t.strictSame(
      withoutQueries({
        $url: 'https://square.example/plugins/?code=x#y',
        $url_path: '/plugins/',
        $referrer: 'https://search.example/?q=x',
        $latest_referrer: '',
        $element_target_url: '?page=2',
        of_ours: '/plugins/?sort=1',
        of_theirs: '//cdn.example/a?b',
        script: 'javascript:go?x',
        $latest_utm_source: 'x',
        $utm_campaign: 'x',
        $first_search_keyword: 'x',
        $title: 'Why? #1',
        pid: 9497,
        $is_first_day: true,
      }),
      {
        $url: 'https://square.example/plugins/',
        $url_path: '/plugins/',
        $referrer: 'https://search.example/',
        $latest_referrer: '',
        $element_target_url: '',
        of_ours: '/plugins/',
        of_theirs: '//cdn.example/a',
        script: 'javascript:go?x',
        $title: 'Why? #1',
        pid: 9497,
        $is_first_day: true,
      },
    );
  });
});

t.test('preferences', async (t) => {
  t.test('a preference cookie lasts a year, on every path, and is Secure on https only', async (t) => {
    t.equal(
      preferenceCookie('lang', 'jp', { secure: true }),
      'lang=jp; Path=/; Max-Age=31536000; SameSite=Lax; Secure',
    );
    t.equal(
      preferenceCookie('theme', undefined, { secure: false }),
      'theme=; Path=/; Max-Age=0; SameSite=Lax',
    );
  });
});
