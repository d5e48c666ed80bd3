import t from 'tap';
import { pendingCollectText, readPendingCollect } from '../../../../web/features/plugins/collected.ts';

t.test('what a visitor wanted to collect is read as it was written, and nothing else is', async (t) => {
  const plugin = { plugin_key: 'grid-maker', name: 'Grid & maker=7% 网格' };
  t.strictSame(readPendingCollect(pendingCollectText(plugin)), plugin);
  for (const text of [
    '',
    'collect',
    'collect ',
    'collect name=Grid',
    'collect plugin_key=&name=x',
    'like grid',
  ])
    t.equal(readPendingCollect(text), undefined, text);
});
