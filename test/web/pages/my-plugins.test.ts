import t from 'tap';
import type { DataFor } from '../../../web/api/client.ts';
import { withoutPlugin } from '../../../web/features/own-plugins/own-cache.ts';
import { publishedState } from '../../../web/pages/my-plugins/published-state.ts';
import { editPath, versionsPath } from '../../../web/pages/publish/publish-paths.ts';
import { pluginAt } from '../support/answers.ts';

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
