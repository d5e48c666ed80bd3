import t from 'tap';
import { signInUrl } from '../../../web/features/session/sign-in-url.ts';

t.test('the address that begins a sign-in carries the way back whole', async (t) => {
  const url = new URL(signInUrl('/plugins/?keyword=a%26b&sort=1#x', { signUp: true }), 'http://page');
  t.equal(url.pathname, '/api/auth/login');
  t.equal(url.searchParams.get('return_to'), '/plugins/?keyword=a%26b&sort=1#x');
  t.equal(url.searchParams.get('page'), 'sign_up');
  t.equal(new URL(signInUrl('/plugins/'), 'http://page').searchParams.has('page'), false);
});
