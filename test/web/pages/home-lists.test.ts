import t from 'tap';
import type { PluginCard } from '../../../shared/entities/plugin.ts';
import { catalogue, changedCatalogue, pluginAt } from '../support/answers.ts';
import { bootWith } from '../support/boot.ts';
import { builtWeb } from '../support/build.ts';

/** Number of links to each plugin. */
function linksIn(html: string): number[] {
  const counts = new Map<string, number>();
  for (const [, key = ''] of html.matchAll(/href="\/plugins\/plugin\/([^"]+)"/g))
    counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts.values()];
}

t.test('no plugin is on the home page twice', async (t) => {
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

/** A catalogue of these plugins, all of them recommended. */
const catalogueOf = (plugins: PluginCard[]) =>
  changedCatalogue((data) => {
    if (!('plugin_list' in data)) return data;
    return 'total' in data
      ? { ...data, plugin_list: plugins, total: plugins.length, next_cursor: null }
      : { ...data, plugin_list: plugins };
  });

t.test('without further plugins there is no list below the recommended ones', async (t) => {
  const { entry } = await builtWeb(t);
  const few = [0, 1, 2, 3, 4, 5].map(pluginAt);
  const { status, html } = await entry.render('/plugins/', bootWith(), catalogueOf(few));
  t.equal(status, 200);
  t.strictSame(linksIn(html), [1, 1, 1, 1, 1, 1]);
  t.match(html, 'aria-labelledby="recommended"');
  t.notMatch(html, 'aria-labelledby="results"');
});

t.test('without further plugins there is nothing below the featured ones', async (t) => {
  const { entry } = await builtWeb(t);
  const few = [0, 1].map(pluginAt);
  const slot_list = few.map((plugin, id) => ({ id, link: `/plugins/plugin/${plugin.plugin_key}`, plugin }));
  const answer = catalogueOf(few);
  const { status, html } = await entry.render('/plugins/', bootWith(), async (query) =>
    query.operation === 'listActiveSlots' ? { ok: true, data: { slot_list } } : answer(query),
  );
  t.equal(status, 200);
  t.strictSame(linksIn(html), [1, 1]);
  t.match(html, 'aria-labelledby="featured"');
  t.notMatch(html, /aria-labelledby="(?:recommended|results)"/);
});
