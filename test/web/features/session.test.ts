import t from 'tap';
import { readFrameMessage } from '../../../web/features/session/frame-message.ts';
import { signInUrl } from '../../../web/features/session/sign-in-url.ts';
import {
  forgetUnfinished,
  keepUnfinished,
  takeUnfinished,
} from '../../../web/features/session/unfinished.ts';

t.test('the address that begins a sign-in carries the way back whole', async (t) => {
  const url = new URL(signInUrl('/plugins/?keyword=a%26b&sort=1#x', { signUp: true }), 'http://page');
  t.equal(url.pathname, '/api/auth/login');
  t.equal(url.searchParams.get('return_to'), '/plugins/?keyword=a%26b&sort=1#x');
  t.equal(url.searchParams.get('page'), 'sign_up');
  const plain = new URL(signInUrl('/plugins/'), 'http://page').searchParams;
  t.strictSame(Object.fromEntries(plain), { return_to: '/plugins/' });
  const framed = new URL(signInUrl('/plugins/', { inFrame: true }), 'http://page').searchParams;
  t.equal(framed.get('ux_mode'), 'auth');
});

t.test('a frame is heard as far as it makes sense', async (t) => {
  const message = (type: string, fields: object = {}) =>
    readFrameMessage({ type: `plugin-square:${type}`, ...fields });
  t.strictSame(message('signed-in', { return_to: 'https://evil.example/' }), { kind: 'signed-in' });
  t.strictSame(message('sign-in-left'), { kind: 'left' });
  t.strictSame(message('sign-in-failed', { code: 'CODE_INVALID' }), { kind: 'failed', code: 'CODE_INVALID' });
  for (const code of [undefined, 7, '', '<b>', 'code err'])
    t.equal(message('sign-in-failed', { code }), undefined);
  t.strictSame(message('sign-in-shown', { height: 333.2 }), { kind: 'shown', height: 334 });
  t.strictSame(message('sign-in-shown', { height: 1e9 }), { kind: 'shown', height: 2000 });
  t.strictSame(message('sign-in-shown', { height: -5 }), { kind: 'shown', height: 120 });
  for (const height of [undefined, '400', Number.NaN, Number.POSITIVE_INFINITY])
    t.equal(message('sign-in-shown', { height }), undefined);
  for (const data of [
    undefined,
    null,
    'plugin-square:signed-in',
    7,
    {},
    { type: 7 },
    { type: 'constructor' },
  ])
    t.equal(readFrameMessage(data), undefined);
});

t.test('what was begun is handed out once, and only for ten minutes', async (t) => {
  const now = Date.UTC(2026, 4, 20);
  keepUnfinished('one', now);
  keepUnfinished('two', now);
  t.equal(takeUnfinished(now + 599_999), 'two', 'the last thing counts');
  t.equal(takeUnfinished(now), undefined);
  keepUnfinished('late', now);
  t.equal(takeUnfinished(now + 600_000), undefined);
  keepUnfinished('from a clock ahead', now + 1);
  t.equal(takeUnfinished(now), undefined);
  keepUnfinished('given up', now);
  forgetUnfinished();
  t.equal(takeUnfinished(now), undefined);
});
