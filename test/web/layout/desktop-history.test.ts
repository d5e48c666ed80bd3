import t from 'tap';
import {
  canStep,
  ENTRIES_MAX,
  entryOf,
  goHome,
  isEntry,
  moveTo,
  readHistory,
  replaceEntry,
  startAt,
  step,
  storeHistory,
  visit,
} from '../../../web/layout/desktop/navigation-history.ts';
import { scrollKeyOf } from '../../../web/layout/desktop/scroll-key.ts';

const HOME = '/plugins/';
const [A, B, C, D] = ['/plugins/plugin/a', '/plugins/plugin/b', '/plugins/?tag=3', '/plugins/403'] as const;
const at = (index: number, ...list: string[]) => ({ list, index });

t.test('a link appends its page and drops forward entries', async (t) => {
  t.strictSame(visit(startAt(HOME), A), at(1, HOME, A));
  t.strictSame(visit(at(0, HOME, A, B), C), at(1, HOME, C));
});

t.test('the oldest entries are dropped beyond the maximum', async (t) => {
  let history = startAt(HOME);
  for (let count = 0; count < ENTRIES_MAX + 5; count += 1)
    history = visit(history, `/plugins/plugin/${count}`);
  t.equal(history.list.length, ENTRIES_MAX);
  t.equal(history.index, ENTRIES_MAX - 1);
  t.equal(history.list.at(-1), `/plugins/plugin/${ENTRIES_MAX + 4}`);
  t.equal(history.list[0], '/plugins/plugin/5');
});

t.test('back and forward depend on the entries on either side', async (t) => {
  const first = at(0, HOME, A);
  t.notOk(canStep(first, -1));
  t.ok(canStep(first, 1));
  const last = step(first, 1);
  t.strictSame(last, at(1, HOME, A));
  t.ok(canStep(last, -1));
  t.notOk(canStep(last, 1));
  t.equal(step(last, 1), last, 'no change beyond the end');
  t.equal(step(first, -1), first, 'nor before the start');
});

t.test('plugin home is appended unless it is the next entry', async (t) => {
  t.strictSame(goHome(startAt(A), HOME), at(1, A, HOME));
  t.strictSame(goHome(at(0, A, HOME, B), HOME), at(1, A, HOME, B), 'the next entry is kept');
  t.strictSame(goHome(at(1, HOME, A, B), HOME), at(2, HOME, A, HOME), 'other forward entries are dropped');
  const there = at(1, A, HOME);
  t.equal(goHome(there, HOME), there, 'already on screen');
});

t.test('the browser’s back and forward move to the nearest entry of the page', async (t) => {
  t.strictSame(moveTo(at(2, A, B, C), B), at(1, A, B, C));
  t.strictSame(moveTo(at(0, A, B, C), C), at(2, A, B, C));
  t.strictSame(moveTo(at(1, A, B, A), A), at(0, A, B, A), 'prefers the entry behind');
  t.strictSame(moveTo(at(3, A, B, A, C), A), at(2, A, B, A, C));
  t.strictSame(moveTo(at(1, A, B), D), at(2, A, B, D), 'a page from before this history is appended');
});

t.test('a page that changes its URL keeps its position', async (t) => {
  t.strictSame(replaceEntry(at(1, A, HOME, B), C), at(1, A, C, B));
});

t.test('an entry is a normalized path and query', async (t) => {
  const of = (pathname: string, search = '') => entryOf({ pathname, search });
  t.equal(of('/plugins/', '?tag=3&sort=1'), '/plugins/?tag=3&sort=1');
  t.equal(of('/plugins/', '?keyword=图标'), '/plugins/?keyword=%E5%9B%BE%E6%A0%87');
  t.equal(of('/plugins/', '?keyword=a b'), '/plugins/?keyword=a%20b');
  t.equal(of('/plugins/', '?client=desktop'), '/plugins/', 'tab parameters are not part of the page');
  t.equal(of('/plugins/', '?tag=3&client=desktop'), '/plugins/?tag=3');
  t.equal(of('//evil.example/x'), '/evil.example/x', 'never the URL of another site');
  t.equal(of('/\\evil.example/x'), '/evil.example/x');
  t.equal(of('/.//evil.example'), '/evil.example');
  for (const [pathname, search] of [
    [HOME, '?keyword=%E5%9B%BE'],
    ['/plugins/a%20b', ''],
  ] as const)
    t.ok(isEntry(of(pathname, search)), 'it can be restored');
});

t.test('the history of a tab is stored, and invalid data is replaced', async (t) => {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
  t.equal(readHistory(storage), undefined);
  storeHistory(storage, at(1, HOME, C));
  t.strictSame(readHistory(storage), at(1, HOME, C));
  t.equal(kept.size, 1);
  const foreign: unknown[] = [
    null,
    7,
    [],
    {},
    { list: [HOME] },
    { index: 0 },
    { list: [], index: 0 },
    { list: HOME, index: 0 },
    { list: [HOME], index: 1 },
    { list: [HOME], index: -1 },
    { list: [HOME], index: 0.5 },
    { list: [HOME], index: '0' },
    { list: [HOME, 7], index: 0 },
    { list: [HOME, 'plugins/'], index: 0 },
    { list: [HOME, ''], index: 0 },
    { list: [HOME, '//evil.example/'], index: 0 },
    { list: [HOME, '/\\evil.example/'], index: 0 },
    { list: [HOME, 'https://evil.example/'], index: 0 },
    { list: [HOME, 'javascript:alert(1)'], index: 0 },
    { list: [HOME, '/plugins/#hash'], index: 0 },
    { list: [HOME, '/plugins/../x'], index: 0 },
    { list: Array.from({ length: ENTRIES_MAX + 1 }, () => HOME), index: 0 },
  ];
  for (const text of ['', '{', ...foreign.map((value) => JSON.stringify(value))]) {
    for (const key of kept.keys()) kept.set(key, text);
    t.equal(readHistory(storage), undefined, text.slice(0, 60));
  }
});

t.test('a page shown again keeps its scroll position', async (t) => {
  t.equal(scrollKeyOf({ key: 'k', state: null }), 'k');
  t.equal(scrollKeyOf({ key: 'k', state: { stepsFromList: 1 } }), 'k');
  t.equal(scrollKeyOf({ key: 'k', state: { scroll_key: 7 } }), 'k');
  t.equal(scrollKeyOf({ key: 'k', state: { scroll_key: 'before' } }), 'before');
});
