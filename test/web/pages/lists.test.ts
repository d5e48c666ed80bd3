import t from 'tap';
import type { PluginCard } from '../../../shared/entities/plugin.ts';
import type { DataFor } from '../../../web/api/client.ts';
import { withoutPlugin } from '../../../web/features/own-plugins/own-cache.ts';
import { publishedState } from '../../../web/pages/my-plugins/published-state.ts';
import { editPath, versionsPath } from '../../../web/pages/publish/publish-paths.ts';
import { catalogue, changedCatalogue, pluginAt } from '../support/answers.ts';
import { bootWith } from '../support/boot.ts';
import { builtWeb } from '../support/build.ts';

t.test('home lists', async (t) => {
  /** Number of links to each plugin. */
  function linksIn(html: string): number[] {
    const counts = new Map<string, number>();
    for (const [, key = ''] of html.matchAll(/href="\/plugins\/plugin\/([^"]+)"/g))
      counts.set(key, (counts.get(key) ?? 0) + 1);
    return [...counts.values()];
  }

  t.test('no plugin is on the home page twice', async (t) => {
    const { entry } = await builtWeb();
    const { status, html } = await entry.render('/plugins/', bootWith(), catalogue);
    const counts = linksIn(html);
    t.equal(status, 200);
    t.ok(counts.length > 10, `${counts.length} plugins`);
    t.strictSame(
      counts.filter((count) => count > 1),
      [],
    );
  });

  t.test('a card says that an installed plugin was updated since', async (t) => {
    const { entry } = await builtWeb();
    const changed = (change: Partial<PluginCard>) =>
      changedCatalogue((data, operation) =>
        operation === 'listRecommended' && 'plugin_list' in data
          ? { ...data, plugin_list: [{ ...pluginAt(0), ...change }] }
          : data,
      );
    const htmlOf = async (change: Partial<PluginCard>) =>
      (await entry.render('/plugins/', bootWith(), changed(change))).html.split(
        '<script type="application/json"',
      )[0];
    t.match(await htmlOf({ is_installed: true, is_updated: true }), 'Updated since you installed it');
    t.notMatch(await htmlOf({ is_installed: true }), 'Updated since you installed it');
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
    const { entry } = await builtWeb();
    const few = [0, 1, 2, 3, 4, 5].map(pluginAt);
    const { status, html } = await entry.render('/plugins/', bootWith(), catalogueOf(few));
    t.equal(status, 200);
    t.strictSame(linksIn(html), [1, 1, 1, 1, 1, 1]);
    t.match(html, 'aria-labelledby="recommended"');
    t.notMatch(html, 'aria-labelledby="results"');
  });

  t.test('a row above the list has four plugins that are not on the page yet, or is not there', async (t) => {
    const { entry } = await builtWeb();
    const rowsOf = async (wanted: number[], fresh: number[]) => {
      const { html } = await entry.render('/plugins/', bootWith(), async (query) => {
        if (query.operation !== 'listTrending') return catalogue(query);
        const { is_new } = query.payload;
        return { ok: true, data: { plugin_list: (is_new === 1 ? fresh : wanted).map(pluginAt) } };
      });
      const rowOf = (id: string) =>
        html
          .split(`aria-labelledby="${id}"`)[1]
          ?.split('</section>')[0]
          ?.match(/<article/g)?.length ?? 0;
      return [rowOf('trending'), rowOf('new')];
    };
    t.strictSame(await rowsOf([0, 6, 7, 8, 9, 10], [6, 11, 12, 13, 14]), [4, 4]);
    t.strictSame(await rowsOf([0, 1, 2, 6, 7, 8], [6, 7, 8, 9, 10]), [0, 4], 'six are recommended');
    t.strictSame(await rowsOf([6, 7, 8, 9], [6, 7, 8, 9, 10]), [4, 0], 'four are trending');
  });

  t.test('without further plugins there is nothing below the featured ones', async (t) => {
    const { entry } = await builtWeb();
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
});

t.test('my plugins', async (t) => {
  type OwnPage = DataFor<'listOwnPlugins'>;

  const plain = { audit_status: 1, is_live: false, is_hidden: false, brings_version: true } as const;

  t.test('the public state of a plugin is explained for each of its states', async (t) => {
    t.equal(publishedState(plain), 'state_waiting_first');
    t.equal(publishedState({ ...plain, is_live: true }), 'state_waiting_version');
    t.equal(publishedState({ ...plain, is_live: true, brings_version: false }), 'state_waiting_listing');
    t.equal(publishedState({ ...plain, audit_status: 2, is_live: true }), 'state_live');
    t.equal(publishedState({ ...plain, audit_status: 2 }), 'state_not_live');
    t.equal(publishedState({ ...plain, audit_status: 3 }), 'state_refused_first');
    t.equal(publishedState({ ...plain, audit_status: 3, is_live: true }), 'state_refused_version');
    t.equal(
      publishedState({ ...plain, audit_status: 3, is_live: true, brings_version: false }),
      'state_refused_listing',
    );
    t.equal(publishedState({ ...plain, audit_status: 2, is_hidden: true }), 'state_hidden');
  });

  t.test('a deleted plugin is removed from every page of the list', async (t) => {
    const pageOf = (...places: number[]): OwnPage => ({
      total: 3,
      total_estimated: false,
      next_cursor: null,
      plugin_list: places.map((place) => ({
        submission_id: place,
        plugin: pluginAt(place),
        version: '1.0.0',
        version_kind: 'new',
        brings_version: true,
        is_first: true,
        is_live: false,
        current_version: null,
        is_hidden: false,
        audit_status: 1,
        reason: null,
        findings: [],
        is_recommended: false,
        is_silent: false,
        submitted_at: new Date(0).toISOString(),
        decided_at: null,
        decided_by: null,
        claimed_by: null,
        claimed_until: null,
      })),
    });
    const data = { pages: [pageOf(1, 2), pageOf(3)], pageParams: [null, 'next'] };
    const after = withoutPlugin(data, pluginAt(2).plugin_key);
    t.strictSame(
      after.pages.map((page) => [page.total, page.plugin_list.map(({ submission_id }) => submission_id)]),
      [
        [2, [1]],
        [2, [3]],
      ],
    );
  });

  t.test('paths have the key of their plugin', async (t) => {
    t.equal(editPath('abcdefgh'), '/plugins/publish-plugin/single?plugin_key=abcdefgh');
    t.equal(editPath('abcdefgh', 'version'), '/plugins/publish-plugin/single?plugin_key=abcdefgh#version');
    t.equal(versionsPath('abcdefgh'), '/plugins/my-plugins/abcdefgh/versions');
  });
});
