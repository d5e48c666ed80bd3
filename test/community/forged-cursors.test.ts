import { createHash } from 'node:crypto';
import t from 'tap';
import { testCommunity } from '../support/community.ts';
import { addPlugin } from './add-plugin.ts';
import { ask } from './ask.ts';

/** Cursors hold no secret, so anybody can write one: whatever it says must be a place that a row can have, or refused. */
const community = await testCommunity(t, { publishers: 'members' });
const { db, url } = community;
await addPlugin(db, { key: 'only-plugin', name: { 'en-US': 'Only grid' } });
const admin = await community.bearer(7, 1);

/** As the service binds a cursor to its list: nine bytes of a hash that needs no key. */
function forged(content: string, list: readonly (string | number)[]): string {
  const place = Buffer.from(content);
  const sum = createHash('sha256').update(JSON.stringify(list)).update(place).digest().subarray(0, 9);
  return Buffer.concat([sum, place]).toString('base64url');
}

/** A list, what its cursors are bound to, and a place that is well formed. */
const LISTS: [path: string, list: (string | number)[], place: number[]][] = [
  ['plugin/list?sort=0', ['browse', 0, 0], [1_700_000_000_000, 1]],
  ['plugin/list?sort=1', ['browse', 0, 1], [10, 1]],
  ['plugin/list?keyword=grid', ['search', 0, 0, 'grid'], [1, 10, 1, 5, 0]],
  ['plugin/user/list', ['installed', 7], [1_700_000_000_000, 1]],
  ['plugin/liked', ['liked', 7], [1_700_000_000_000, 1]],
  ['plugin/audit', ['own', 7], [1_700_000_000_000, 1]],
  ['plugin/report/list', ['own reports', 7], [1]],
  ['plugin/resource_state/list', ['slots'], [1_700_000_000_000, 1]],
  ['manager/audit-trail/list', ['trail', '', '', '', 0], [1_700_000_000_000, 1]],
  ['manager/report/list', ['reports', '', ''], [0, 1_700_000_000_000, 1]],
  ...['installs', 'likes', 'views', 'recommended'].map((sort): [string, (string | number)[], number[]] => [
    `manager/plugin/list?sort=${sort}`,
    ['managed', 0, sort, 0, '', ''],
    [3, 1, 5],
  ]),
  ['manager/plugin/list', ['managed', 0, 'latest', 0, '', ''], [1_700_000_000_000, 1, 5]],
];

const NO_PLACES = ['', '{', 'null', '[]', '{}', '"a"', '[null,null]', '[1e400,1]', '\u0000'];
/** No column holds these. */
const IMPOSSIBLE = [1.5, 2 ** 53, 1e19, 1e308, -1e308];
/** Some columns could hold these: such a place may be empty. */
const UNUSUAL = [-1, 2 ** 31, -(2 ** 31) - 1, 8.64e15 + 1, -8.64e15];

for (const [path, list, place] of LISTS) {
  const at = (content: string) =>
    ask(url, `${path}${path.includes('?') ? '&' : '?'}cursor=${forged(content, list)}`, { headers: admin });

  t.test(`${path} takes a cursor of its own form`, async (t) => {
    t.equal((await at(JSON.stringify(place))).status, 200);
  });

  t.test(`${path} refuses a forged cursor with 400, whatever it says`, async (t) => {
    for (const content of NO_PLACES) {
      const answer = await at(content);
      t.equal(answer.status, 400, content);
      t.hasStrict(answer.json, {
        code: 'BAD_CURSOR',
        message: 'The cursor is not one this list has issued.',
      });
    }
    for (const [index] of place.entries()) {
      for (const value of IMPOSSIBLE) {
        const answer = await at(JSON.stringify(place.with(index, value)));
        t.equal(answer.status, 400, `${value} at ${index}`);
        t.hasStrict(answer.json, { code: 'BAD_CURSOR' });
      }
    }
  });

  t.test(`${path} answers a cursor with unusual values, or refuses it`, async (t) => {
    for (const [index] of place.entries()) {
      for (const value of UNUSUAL) {
        const { status } = await at(JSON.stringify(place.with(index, value)));
        t.ok(status === 200 || status === 400, `${value} at ${index}: ${status}`);
      }
    }
  });
}
