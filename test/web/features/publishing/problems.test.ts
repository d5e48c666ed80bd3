import t from 'tap';
import { NO_FILES } from '../../../../web/features/publishing/files/files.ts';
import { problemsOf } from '../../../../web/features/publishing/sending/problems.ts';
import { emptyValues } from '../../../../web/features/publishing/values/values.ts';
import { editState, fullValues, newState } from './support.ts';

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
  const old = fullValues({ support: '', description: {}, version_note: {} });
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
  const state = editState({ values: { ...old, support: 'new@example.com' } });
  t.strictSame(problemsOf({ ...state, original, ...valid }), []);
});
