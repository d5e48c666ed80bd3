import t from 'tap';
import type { ErrorCode } from '../../../../shared/errors.ts';
import { apiError } from '../../../../web/api/api-error.ts';
import { NO_FILES } from '../../../../web/pages/publish/form/files.ts';
import { problemsOf } from '../../../../web/pages/publish/form/sending/problems.ts';
import {
  nearLimit,
  nearQuota,
  submitErrorOf,
} from '../../../../web/pages/publish/form/sending/submit-error.ts';
import { emptyValues } from '../../../../web/pages/publish/form/values.ts';
import { editState, fullValues, newState } from './support.ts';

t.test('problems', async (t) => {
  const valid = { isPackageBroken: false, isVersionFixed: false };
  const summaryOf = (problems: ReturnType<typeof problemsOf>) =>
    problems.map(({ code, pointer }) => `${pointer} ${code}`);

  t.test('a complete form has no problem', async (t) => {
    t.strictSame(problemsOf({ ...newState(), ...valid }), []);
    t.strictSame(problemsOf({ ...editState(), ...valid }), []);
  });

  t.test('all missing fields are reported, in the order of the form', async (t) => {
    const values = { ...emptyValues('zh-CN'), version: '' };
    t.strictSame(summaryOf(problemsOf({ ...newState({ values, files: NO_FILES }), ...valid })), [
      '/code FIELD_REQUIRED',
      '/name FIELD_REQUIRED',
      '/intro FIELD_REQUIRED',
      '/description FIELD_REQUIRED',
      '/contact FIELD_REQUIRED',
      '/version FIELD_REQUIRED',
      '/version_note FIELD_REQUIRED',
    ]);
    const blank = fullValues({ name: { 'en-US': ' \n' }, copyright_kind: 'custom', copyright_holder: ' ' });
    t.strictSame(summaryOf(problemsOf({ ...newState({ values: blank }), ...valid })), [
      '/name FIELD_REQUIRED',
      '/copyright_holder FIELD_REQUIRED',
    ]);
  });

  t.test('any one language is enough', async (t) => {
    const values = fullValues({ name: { 'ja-JP': 'フレーム' } });
    t.strictSame(problemsOf({ ...newState({ values }), ...valid }), []);
  });

  t.test('text limits count visible characters', async (t) => {
    const fits = fullValues({ name: { 'en-US': '👩'.repeat(64) } });
    t.strictSame(problemsOf({ ...newState({ values: fits }), ...valid }), []);
    const long = fullValues({ name: { 'en-US': 'A', 'ko-KR': '👩'.repeat(65) }, contact: 'c'.repeat(121) });
    const problems = problemsOf({ ...newState({ values: long }), ...valid });
    t.strictSame(summaryOf(problems), ['/name/ko-KR TEXT_TOO_LONG', '/contact TEXT_TOO_LONG']);
    t.strictSame(problems[0]?.params, { limit: '64' });
  });

  t.test('a version is a number greater than the last one', async (t) => {
    const of = (version: string, lastVersion?: string) =>
      summaryOf(problemsOf({ ...newState({ values: fullValues({ version }) }), ...valid, lastVersion }));
    t.strictSame(of('1.2'), ['/version VERSION_INVALID']);
    t.strictSame(of('v1.2.0'), ['/version VERSION_INVALID']);
    t.strictSame(of('1.2.0', '1.2.0'), ['/version VERSION_NOT_GREATER']);
    t.strictSame(of('1.2.0-beta', '1.2.0'), ['/version VERSION_NOT_GREATER']);
    t.strictSame(of('1.2.0+build', '1.2.0'), ['/version VERSION_NOT_GREATER']);
    t.strictSame(of(' 1.2.1 ', '1.2.0'), []);
  });

  t.test('an invalid package prevents a version, not an edit without one', async (t) => {
    const broken = { ...valid, isPackageBroken: true };
    t.strictSame(summaryOf(problemsOf({ ...newState(), ...broken })), ['/code NOT_A_PLUGIN']);
    const values = fullValues({ contact: 'x@example.com' });
    t.strictSame(problemsOf({ ...editState({ values }), ...broken }), []);
  });

  t.test('fields that earlier releases did not require are required on the next change', async (t) => {
    const old = fullValues({ support: {}, description: {}, version_note: {} });
    const state = editState({ values: { ...old, contact: 'new@example.com' } });
    const original = { values: old, files: NO_FILES };
    const missing = ['/description FIELD_REQUIRED'];
    t.strictSame(summaryOf(problemsOf({ ...state, original, ...valid })), [
      ...missing,
      '/version_note FIELD_REQUIRED',
    ]);
    t.strictSame(
      summaryOf(problemsOf({ ...state, original, ...valid, isVersionFixed: true })),
      missing,
      'a passed version keeps what it says',
    );
  });

  t.test('an unchanged stored text may exceed the current limit', async (t) => {
    const old = fullValues({ contact: 'c'.repeat(121) });
    const original = { values: old, files: NO_FILES };
    const state = editState({ values: { ...old, support: { 'en-US': 'new@example.com' } } });
    t.strictSame(problemsOf({ ...state, original, ...valid }), []);
  });
});

t.test('submit error', async (t) => {
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
});
