import t from 'tap';
import type { Answered } from '../../shared/boot.ts';
import { leanAnswers } from '../../web/lean-answers.ts';
import { pluginAt } from './support/answers.ts';

t.test('of plugins in lists only what cards show comes with the document', async (t) => {
  const plugin = pluginAt(3);
  const list = { total: 1, total_estimated: false, next_cursor: null, plugin_list: [plugin] };
  const answers: Answered[] = [
    { operation: 'listPlugins', payload: { limit: 24 }, ok: true, data: list },
    { operation: 'readPlugin', payload: { plugin_key: 'a' }, ok: true, data: plugin },
    { operation: 'listRecommended', payload: {}, ok: false, status: 503, code: 'PLUGIN_NOT_FOUND' },
    { operation: 'listRecommended', payload: {}, ok: true, data: 'no list' },
  ];
  const { view_count, version, tags, plugin_mark, updated_at, publisher, ...shown } = plugin;
  const [first, ...others] = leanAnswers(answers);
  t.strictSame(first, {
    operation: 'listPlugins',
    payload: { limit: 24 },
    ok: true,
    data: { ...list, plugin_list: [{ ...shown, publisher: { nick_name: publisher.nick_name } }] },
  });
  t.strictSame(others, answers.slice(1));
});
