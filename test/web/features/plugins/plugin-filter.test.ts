import t from 'tap';
import {
  filterOf,
  isUnfiltered,
  listPayload,
  queryOf,
} from '../../../../web/features/plugins/plugin-filter.ts';

const parse = (query: string) => filterOf(new URLSearchParams(query));
const WHOLE = { tag_id: 0, keyword: '', sort: 0 };

t.test('a URL without a query shows all plugins, latest first', async (t) => {
  t.strictSame(parse(''), WHOLE);
  t.ok(isUnfiltered(parse('')));
});

t.test('tag, keyword and order are read from the query', async (t) => {
  t.strictSame(parse('tag_id=3&keyword=%E5%9B%BE%E6%A0%87&sort=1'), { tag_id: 3, keyword: '图标', sort: 1 });
  t.notOk(isUnfiltered(parse('tag_id=3')));
  t.notOk(isUnfiltered(parse('keyword=a')));
  t.ok(isUnfiltered(parse('sort=1')), 'the order does not filter');
});

t.test('invalid values count as absent', async (t) => {
  for (const query of [
    'tag_id=-1',
    'tag_id=1.5',
    'tag_id=abc',
    'tag_id=',
    'tag_id=99999999999',
    'sort=7',
    'sort=popular',
    'keyword=%20%20',
    'unknown=1',
  ]) {
    t.strictSame(parse(query), WHOLE, query);
  }
});

t.test('a keyword is trimmed and cut to 64 characters, never inside one', async (t) => {
  t.equal(parse('keyword=%20chart%20').keyword, 'chart');
  const long = parse(`keyword=${encodeURIComponent('🎨'.repeat(80))}`).keyword;
  t.equal(long, '🎨'.repeat(64));
});

t.test('a filter survives its query and back', async (t) => {
  t.equal(queryOf({ tag_id: 0, keyword: '', sort: 0 }), '');
  for (const filter of [
    { tag_id: 2, keyword: 'a&b=c', sort: 1 },
    { tag_id: 0, keyword: 'значки #1', sort: 0 },
  ] as const) {
    t.strictSame(parse(queryOf(filter).slice(1)), filter);
  }
});

t.test('the list call gets the filter and the page size', async (t) => {
  t.strictSame(listPayload({ tag_id: 2, keyword: 'x', sort: 1 }), {
    tag_id: 2,
    keyword: 'x',
    sort: 1,
    limit: 24,
  });
});
