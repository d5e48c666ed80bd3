import t from 'tap';
import { returnPath } from '../../../server/gateway/sign-in/login-params.ts';
import { startGateway } from '../../support/gateway.ts';

const SITE = 'https://square.example';
const HOME = '/plugins/';

/** Paths that lead to another site, collected from the advisories of other gateways (requirement 10). */
const ATTEMPTS = [
  '',
  ' ',
  'plugins/',
  'https://evil.example/',
  'https://square.example.evil.example/',
  'https://square.example@evil.example/',
  'https:evil.example',
  'https:/evil.example',
  '//evil.example',
  '///evil.example',
  '////evil.example//',
  '/\\evil.example',
  '\\/evil.example',
  '\\\\evil.example',
  '/\\/evil.example',
  '/%5cevil.example',
  '/%5C%5Cevil.example',
  '/%2fevil.example',
  '/%2F%2Fevil.example',
  '/%252fevil.example',
  '/%25252fevil.example',
  '/%2e%2e//evil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/plugins/..//evil.example',
  '/plugins/../..//evil.example',
  '/plugins/%2e%2e//evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/\r\n/evil.example',
  '/%09/evil.example',
  '/%0a/evil.example',
  '/%0d%0aLocation:%20https://evil.example',
  '/%00/evil.example',
  '\t//evil.example',
  ' //evil.example',
  '/ /evil.example',
  '/\u2028/evil.example',
  '/\u200b/evil.example',
  '/\u00a0/evil.example',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'mailto:a@evil.example',
  '@evil.example',
  '?next=//evil.example',
  '#//evil.example',
  '.evil.example',
  '/%',
  '/%zz',
  '/%ff',
  '/%c0%af/evil.example',
  '/api/auth/logout',
  '/api/auth/login?return_to=/',
  '/%61pi/auth/login',
  '/API/auth/login',
  '/plugins/../api/auth/login',
  '/user/login',
  '/user/login?x=1',
  '/user/login/bind/',
  '/user/login/other',
];

t.test('an address that could leave the site becomes the home page', async (t) => {
  for (const attempt of ATTEMPTS) t.equal(returnPath(attempt, SITE), HOME, encodeURIComponent(attempt));
  t.equal(returnPath(undefined, SITE), HOME);
});

t.test('paths of this site are kept, normalized by the URL standard', async (t) => {
  for (const path of [
    '/',
    '/plugins/',
    '/plugins/?tag=1&q=%E4%BD%A0#top',
    '/app',
    '/plugins/plugin/abc-DEF_1',
    '/apiary',
    '/user/login/bind?id=1&mainUrl=%2Fplugins%2F',
  ]) {
    t.equal(returnPath(path, SITE), path);
  }
  t.equal(returnPath('/plugins/a/../b', SITE), '/plugins/b');
  t.equal(returnPath('/plugins/?q=//evil.example', SITE), '/plugins/?q=//evil.example');
  t.equal(returnPath('/plugins/插件', SITE), '/plugins/%E6%8F%92%E4%BB%B6');
});

t.test('the callback never redirects to another site', async (t) => {
  const gateway = await startGateway(t);
  for (const attempt of [
    '//evil.example',
    '/\\evil.example',
    'https://evil.example/',
    '/%2F%2Fevil.example',
  ]) {
    const browser = gateway.browser();
    const finished = await browser.signIn({ returnTo: attempt });
    t.equal(finished.status, 303);
    t.equal(finished.headers.location, HOME, attempt);
  }
});

t.test('an invalid return address causes no error', async (t) => {
  const gateway = await startGateway(t);
  const browser = gateway.browser();
  for (const query of ['return_to=%ff', 'return_to', 'return_to=%', 'return_to[]=x', '__proto__=x']) {
    t.equal((await browser.visit(`/api/auth/login?${query}`)).status, 302, query);
  }
  const long = await browser.visit(`/api/auth/login?return_to=/${'x'.repeat(3000)}`);
  t.equal(long.status, 400);
  t.equal(long.json().code, 'VALIDATION_FAILED');
  const repeated = await browser.visit('/api/auth/login?return_to=/a&return_to=/b');
  t.ok([302, 400].includes(repeated.status));
});
