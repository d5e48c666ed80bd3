import t from 'tap';
import { siteLink } from '../../shared/site-link.ts';

const GOOD: [text: string, link: string][] = [
  ['https://example.org', 'https://example.org/'],
  ['  http://example.org:8080/a?b=c#d ', 'http://example.org:8080/a?b=c#d'],
  ['HTTPS://EXAMPLE.org/A', 'https://example.org/A'],
  ['https://例え.jp/道', 'https://xn--r8jz45g.jp/%E9%81%93'],
  ['https://[::1]/x', 'https://[::1]/x'],
  ['https://example.org/a@b', 'https://example.org/a@b'],
  ['/plugins/plugin/abcdefgh', '/plugins/plugin/abcdefgh'],
  ['/', '/'],
  ['/a/../b?c#d', '/b?c#d'],
  ['/a?u=https://example.org', '/a?u=https://example.org'],
];

const BAD = [
  '',
  ' ',
  'example.org',
  'plugins/x',
  '?a=b',
  '#a',
  '//example.org',
  '///example.org',
  '/\\example.org',
  '\\\\example.org',
  '/a/..//example.org',
  '/.//example.org',
  '/\t/example.org',
  '/a b',
  '/a\nb',
  '/a\u0000',
  '/a\u007f',
  '/a\ud800',
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  'java\tscript:alert(1)',
  ' javascript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'file:///etc/passwd',
  'ftp://example.org',
  'mailto:a@example.org',
  'blob:https://example.org/x',
  'https:',
  'https://',
  'https:///example.org',
  'https:example.org',
  'https:/example.org',
  'https:\\\\example.org',
  'https://user@example.org',
  'https://user:password@example.org',
  'https://@example.org',
  'https://example.org:99999',
  'https://exa mple.org',
  'https://example.org\\@evil.example',
  'https://?x',
  'https://[::1',
];

t.test('web addresses and paths of this site become normalised links', async (t) => {
  for (const [text, link] of GOOD) t.equal(siteLink(text), link, text);
});

t.test('nothing else is a link', async (t) => {
  for (const text of BAD) t.equal(siteLink(text), null, JSON.stringify(text));
});

t.test('a checked link does not change when it is checked again', async (t) => {
  for (const [, link] of GOOD) t.equal(siteLink(link), link);
});
