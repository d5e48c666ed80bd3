import t from 'tap';
import type { UserInfo } from '../../../shared/entities/user.ts';
import { profileOf, withoutQueries } from '../../../web/features/analytics/collection.ts';

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

t.test('the profile has exactly the fields of the specification', async (t) => {
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
