import t from 'tap';
import { arrivalOf } from '../../../../web/features/plugins/arrival.ts';

const origin = 'https://plugins.example';
const PLUGIN = '/plugins/plugin/grid-maker';

t.test('a plugin on a list was found there, and its page on the page before', (t) => {
  const rows: [before: string, arrival: object][] = [
    ['', {}],
    ['/plugins/', { source: 'home' }],
    ['/plugins/?sort=1', { source: 'home' }],
    ['/plugins/?tag_id=3', { source: 'tag' }],
    ['/plugins/?tags=3,4', { source: 'tag' }],
    ['/plugins/?keyword=%20icons%20&tag_id=3', { source: 'search', keyword: 'icons' }],
    ['/plugins/publisher/lin', { source: 'publisher' }],
    ['/plugins/collection/abc', { source: 'collection' }],
    ['/plugins/collections/icon-tools', { source: 'collection' }],
    ['/plugins/plugin/another', { source: 'related' }],
    ['/plugins/my-plugins', {}],
    [`${origin}/plugins/?keyword=grid`, { source: 'search', keyword: 'grid' }],
    ['https://elsewhere.example/plugins/?keyword=grid', {}],
    ['https://', {}],
  ];
  for (const [before, arrival] of rows) {
    t.strictSame(arrivalOf({ here: PLUGIN, before, origin }), arrival, before);
    if (before.startsWith('/plugins/') && !before.startsWith('/plugins/plugin/'))
      t.strictSame(arrivalOf({ here: before, before: '', origin }), arrival, before);
  }
  t.end();
});
