import { readFileSync } from 'node:fs';
import t from 'tap';
import { isNamed, isRead, upstreamCalls } from './calls.ts';
import { DOCUMENT, upstreamDocument } from './document.ts';

const written = readFileSync(DOCUMENT, 'utf8');

t.test('docs/upstreams.md matches the contract', async (t) => {
  t.equal(written, upstreamDocument(), 'renew it: node test/upstream/document.ts');
});

t.test('it has every call of a community service and the required fields', async (t) => {
  const calls = upstreamCalls();
  t.ok(calls.length > 60);
  for (const { route } of calls) t.ok(written.includes(`${route.method} ${route.path}`), route.path);
  t.equal(calls.filter(isNamed).length, 32);
  t.equal(calls.filter(isRead).length, 12);
  t.match(written, '| `plugin_list` | a list; each a [plugin card](#plugin-card) | yes |  |');
  t.match(written, '| `plugin_key` | a text that is not empty | yes |  |');
  t.match(written, '| `is_praise` | 1 or -1 |  | `-1` |');
  t.match(written, '| `name` | a text |  | `plugin_key` |');
  t.match(written, 'Success is only `code` 200.');
});
