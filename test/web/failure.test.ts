import t from 'tap';
import { apiError } from '../../web/api/api-error.ts';
import { type ErrorMessages, problemsOf } from '../../web/api/use-failure.ts';

type Values = { code: string; name: { de: string; fr: string } };

const taken = (...pointers: string[]) =>
  apiError({
    status: 409,
    reason: 'TAG_EXISTS',
    details: pointers.map((pointer) => ({ pointer, message: 'Taken.' })),
  });

const REFUSALS: ErrorMessages<Values> = {
  TAG_EXISTS: { at: ['code', 'name.de', 'name.fr'], text: 'That is taken.' },
  TAG_LIMIT_REACHED: 'There are too many.',
  LINK_INVALID: { at: 'code', text: 'That is no link.' },
};

t.test('an error is said at the fields that it points at', async (t) => {
  t.strictSame(problemsOf(taken('/name/fr', '/code', '/color'), REFUSALS), [
    { field: 'code', text: 'That is taken.' },
    { field: 'name.fr', text: 'That is taken.' },
  ]);
  t.strictSame(problemsOf(taken('/color'), REFUSALS), [], 'none of them: it has the general text');
});

t.test('an error that points at nothing is said at its one field, or of the whole form', async (t) => {
  t.strictSame(problemsOf(apiError({ status: 422, reason: 'LINK_INVALID' }), REFUSALS), [
    { field: 'code', text: 'That is no link.' },
  ]);
  t.strictSame(problemsOf(apiError({ status: 409, reason: 'TAG_LIMIT_REACHED' }), REFUSALS), [
    { field: 'root', text: 'There are too many.' },
  ]);
});

t.test('errors without a text of their own get the general one', async (t) => {
  t.strictSame(problemsOf(apiError({ status: 503, reason: 'UPSTREAM_UNAVAILABLE' }), REFUSALS), []);
  t.strictSame(problemsOf(apiError({ status: 0 }), REFUSALS), []);
});

t.test('a refusal can depend on more than the code', async (t) => {
  const early: ErrorMessages<Values> = ({ retryAfter }) =>
    retryAfter === undefined ? undefined : { at: 'code', text: `In ${retryAfter} s.` };
  const tooMany = { status: 429, reason: 'TOO_MANY_REQUESTS' } as const;
  t.strictSame(problemsOf(apiError({ ...tooMany, retryAfter: 9 }), early), [
    { field: 'code', text: 'In 9 s.' },
  ]);
  t.strictSame(problemsOf(apiError(tooMany), early), []);
});
