import t from 'tap';
import { catalogue, changedCatalogue, pluginAt } from '../support/answers.ts';
import { bootWith } from '../support/boot.ts';
import { builtWeb } from '../support/build.ts';

/** How often the page leads to each plugin. */
function linksIn(html: string): number[] {
  const counts = new Map<string, number>();
  for (const [, key = ''] of html.matchAll(/href="\/plugins\/plugin\/([^"]+)"/g))
    counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts.values()];
}

t.test('no plugin stands on the home page twice', async (t) => {
  const { entry } = await builtWeb(t);
  const { status, html } = await entry.render('/plugins/', bootWith(), catalogue);
  const counts = linksIn(html);
  t.equal(status, 200);
  t.ok(counts.length > 10, `${counts.length} plugins`);
  t.strictSame(
    counts.filter((count) => count > 1),
    [],
  );
});

t.test('a catalogue hardly larger than what is recommended is still listed whole', async (t) => {
  const { entry } = await builtWeb(t);
  const few = [0, 1, 2, 3, 4, 5].map(pluginAt);
  const { status, html } = await entry.render(
    '/plugins/',
    bootWith(),
    changedCatalogue((data) => {
      if (!('plugin_list' in data)) return data;
      return 'total' in data
        ? { ...data, plugin_list: few, total: 6, next_cursor: null }
        : { ...data, plugin_list: few };
    }),
  );
  t.equal(status, 200);
  t.strictSame(linksIn(html), [2, 2, 2, 2, 2, 2]);
});
