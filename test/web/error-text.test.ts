import t from 'tap';
import { apiError } from '../../web/api/api-error.ts';
import { errorText, failureText } from '../../web/api/error-text.ts';

const GONE = { pointer: '/code', code: 'FILE_UNREADABLE', message: 'map.json cannot be read.' };

t.test('every failure has a text', async (t) => {
  const cases: [Parameters<typeof apiError>[0], string][] = [
    [{ status: 0 }, 'network'],
    [{ status: 0, details: [GONE] }, 'file'],
    [{ status: 401 }, 'unauthenticated'],
    [{ status: 401, reason: 'SESSION_ENDED' }, 'unauthenticated'],
    [{ status: 403, reason: 'FORBIDDEN' }, 'forbidden'],
    [{ status: 404, reason: 'PLUGIN_NOT_FOUND' }, 'not_found'],
    [{ status: 429, reason: 'TOO_MANY_REQUESTS' }, 'too_many'],
    [{ status: 502, reason: 'UPSTREAM_UNAVAILABLE' }, 'unavailable'],
    [{ status: 504 }, 'unavailable'],
    [{ status: 500, reason: 'INTERNAL' }, 'unexpected'],
    [{ status: 200 }, 'unexpected'],
  ];
  for (const [facts, text] of cases) t.equal(errorText(apiError(facts)), text, JSON.stringify(facts));
});

t.test('the error text is followed by the message of a foreign service', async (t) => {
  const foreign = apiError({ status: 409, foreignMessage: 'The shelf is full.' });
  t.equal(failureText('Saving failed', foreign), 'Saving failed: The shelf is full.');
  t.equal(
    failureText('It was not saved. Try again.', foreign),
    'It was not saved. Try again: The shelf is full.',
  );
  t.equal(failureText('未能保存，请重试。', foreign), '未能保存，请重试: The shelf is full.');
  t.equal(failureText('It was not saved.', apiError({ status: 500 })), 'It was not saved.');
});
