import t from 'tap';
import { preferenceCookie } from '../../../web/features/preferences/preference-cookie.ts';

t.test('a preference cookie lasts a year, on every path, and is Secure on https only', async (t) => {
  t.equal(preferenceCookie('lang', 'jp', true), 'lang=jp; Path=/; Max-Age=31536000; SameSite=Lax; Secure');
  t.equal(preferenceCookie('theme', undefined, false), 'theme=; Path=/; Max-Age=0; SameSite=Lax');
});
