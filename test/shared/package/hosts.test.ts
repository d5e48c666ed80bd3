import t from 'tap';
import {
  hostRangesOf,
  readHost,
  readHostRanges,
  spanOf,
  worksIn,
  writeHostRanges,
} from '../../../shared/package/hosts.ts';

t.test('the tools that a package works in', async (t) => {
  t.strictSame(hostRangesOf({}), []);
  t.strictSame(hostRangesOf({ editorType: ['pixso'] }), [], 'a type alone excludes no other');
  const ranges = hostRangesOf({
    engines: { pixso: '  >=4.2   <6 ', Node: '>=18', broken: 'later', number: 4, empty: '' },
    editorType: ['whiteboard', 'pixso', 'whiteboard', 7, 'No ID'],
  });
  t.strictSame(ranges, [
    { host: 'pixso', range: '>=4.2 <6' },
    { host: 'whiteboard', range: '*' },
  ]);
  t.equal(writeHostRanges(ranges), 'pixso >=4.2 <6; whiteboard *');
  t.strictSame(readHostRanges('pixso >=4.2 <6; whiteboard *'), ranges);
  t.equal(writeHostRanges([]), null);
  t.strictSame(readHostRanges(null), []);
});

t.test('a tool by its name and version', async (t) => {
  const versions: [text: string, version: string | undefined][] = [
    ['pixso/4.2.1', '4.2.1'],
    ['pixso/4', '4.0.0'],
    ['pixso/4.2-beta.1', '4.2.0-beta.1'],
    ['pixso/4.2.1.7', '4.2.1'],
    ['pixso/v4', undefined],
    ['Pixso/4', undefined],
    ['pixso', undefined],
    ['pixso/4.2.1-..', undefined],
  ];
  for (const [text, version] of versions) {
    t.strictSame(readHost(text), version === undefined ? undefined : { name: 'pixso', version }, text);
  }
});

t.test('what works in a tool', async (t) => {
  const ranges = readHostRanges('pixso >=4.2 <6; whiteboard *');
  const cases: [name: string, version: string, works: boolean][] = [
    ['pixso', '4.2.0', true],
    ['pixso', '4.1.9', false],
    ['pixso', '4.3.0-beta.1', true],
    ['pixso', '6.0.0', false],
    ['whiteboard', '0.1.0', true],
    ['figma', '4.2.0', false],
  ];
  for (const [name, version, works] of cases) {
    t.equal(worksIn(ranges, { name, version }), works, `${name} ${version}`);
    t.equal(worksIn([], { name, version }), true, 'without ranges');
  }
});

t.test('where ranges begin and end', async (t) => {
  const cases: [range: string, span: ReturnType<typeof spanOf>][] = [
    ['>=4.2', { from: '4.2', before: null }],
    ['>=4.2.3', { from: '4.2.3', before: null }],
    ['>=5.0.0-beta.1', { from: '5.0.0-beta.1', before: null }],
    ['^4.2.0', { from: '4.2', before: '5.0' }],
    ['4.x', { from: '4.0', before: '5.0' }],
    ['<5', { from: null, before: '5.0' }],
    ['*', { from: null, before: null }],
    ['4.2.1', null],
    ['>4.2.0', null],
    ['^3 || ^5', null],
    ['no range', null],
  ];
  for (const [range, span] of cases) t.strictSame(spanOf(range), span, range);
});
