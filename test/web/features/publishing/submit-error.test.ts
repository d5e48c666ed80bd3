import t from 'tap';
import type { ErrorCode } from '../../../../shared/errors.ts';
import { apiError } from '../../../../web/api/api-error.ts';
import {
  nearLimit,
  nearQuota,
  submitErrorOf,
} from '../../../../web/features/publishing/sending/submit-error.ts';

const refused = (status: number, reason?: ErrorCode, more: object = {}) =>
  submitErrorOf(apiError({ status, ...(reason ? { reason } : {}), ...more }));

t.test('errors of fields are shown at the fields', async (t) => {
  const details = [
    { pointer: '/name/ja-JP', code: 'TEXT_TOO_LONG', message: 'Over 64 words', params: { limit: '64' } },
    { pointer: '/media_order/0/key', code: 'MEDIA_UNKNOWN', message: 'not one of this plugin' },
  ];
  const { text, problems, findings } = refused(422, 'LISTING_INVALID', { details });
  t.equal(text, 'refused_fields');
  t.strictSame(
    problems.map(({ pointer, code }) => `${pointer} ${code}`),
    ['/name/ja-JP TEXT_TOO_LONG', '/media MEDIA_UNKNOWN'],
  );
  t.strictSame(findings, []);
});

t.test('errors of the package are shown as findings and at the package', async (t) => {
  const details = [{ pointer: '/manifest/main', code: 'FILE_MISSING', message: 'no file', line: 3 }];
  const { text, problems, findings } = refused(422, 'PACKAGE_INVALID', { details });
  t.equal(text, 'refused_package');
  t.hasStrict(problems, [{ pointer: '/code', code: 'NOT_A_PLUGIN' }]);
  t.strictSame(findings, details);
  t.hasStrict(refused(415, 'CODE_FORMAT').problems, [{ pointer: '/code', code: 'NOT_JSON' }]);
});

t.test('rate limits show when to retry', async (t) => {
  t.hasStrict(refused(429, 'PUBLISH_LIMIT_REACHED', { retryAfter: 90 }), {
    text: 'refused_limit_at',
    retryAfter: 90,
  });
  t.hasStrict(refused(429, 'TOO_MANY_REQUESTS'), { text: 'refused_limit', retryAfter: undefined });
  t.equal(refused(413, 'QUOTA_EXCEEDED').text, 'refused_quota');
  t.equal(refused(413).text, 'refused_size');
  t.equal(refused(507, 'STORAGE_FULL').text, 'refused_storage');
});

t.test('every other error has a text', async (t) => {
  t.equal(refused(0).text, 'refused_network');
  t.equal(refused(408, 'REQUEST_TIMEOUT').text, 'refused_timeout');
  t.equal(refused(503, 'SERVICE_UNAVAILABLE').text, 'refused_unavailable');
  t.equal(refused(404, 'PLUGIN_NOT_FOUND').text, 'refused_gone');
  t.equal(refused(403, 'FORBIDDEN').text, 'refused_forbidden');
  t.equal(refused(500, 'INTERNAL').text, 'refused_unexpected');
});

t.test('a limit is shown once most of it is used', async (t) => {
  const rules = (used: [number, number, number], used_bytes = 0, is_limited = true) => ({
    may_mark: false,
    is_limited,
    limits: [
      { max: 3, window_seconds: 60, used: used[0] },
      { max: 10, window_seconds: 3600, used: used[1] },
      { max: 24, window_seconds: 86_400, used: used[2] },
    ],
    quota_bytes: 1000,
    used_bytes,
  });
  t.equal(nearLimit(rules([3, 6, 6])), undefined, 'a minute later');
  t.strictSame(nearLimit(rules([0, 7, 8])), { left: 3, window: 'hour' });
  t.strictSame(nearLimit(rules([0, 8, 23])), { left: 1, window: 'day' });
  t.strictSame(nearLimit(rules([0, 12, 12])), { left: 0, window: 'hour' });
  t.equal(nearLimit(rules([9, 99, 99], 0, false)), undefined);
  t.equal(nearQuota(rules([0, 0, 0], 799)), false);
  t.equal(nearQuota(rules([0, 0, 0], 800)), true);
  t.equal(nearQuota(rules([0, 0, 0], 2000, false)), false);
});
