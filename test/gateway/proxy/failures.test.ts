import t from 'tap';
import { send } from '../../support/browser.ts';
import { startGateway } from '../../support/gateway.ts';
import { card, KEY, openPages, whole } from '../fixtures/broken-responses.ts';

t.test('R 10.9: a user service without a response in time is 504', async (t) => {
  const gateway = await startGateway(t, { timeouts: { userService: 100 } });
  gateway.identity.on('GET /user/page/options', () => new Promise(() => undefined));
  const headers = { 'x-requested-with': 'plugin-square' };
  const answer = await send(gateway.url, '/user/page/options', { headers });
  t.equal(answer.status, 504);
  t.equal(answer.json().code, 'UPSTREAM_TIMEOUT');
});

t.test('broken responses', async (t) => {
  const { gateway, answers, open } = await openPages(t);

  await t.test('invalid entries are omitted one by one, and logged once', async (t) => {
    const LIST = 'GET /api/cmt/plugin/list';
    const lines = () => gateway.lines().filter(({ msg }) => msg === 'invalid entries of a response omitted');
    const before = lines().length;
    answers.set(LIST, whole({ total: 3, plugin_list: [null, card, { name: 'No key' }] }));
    for (const page of ['/plugins/?keyword=a', '/plugins/?keyword=b', '/plugins/?keyword=c']) {
      const { status, html } = await open(page);
      t.equal(status, 200);
      t.match(html, `href="/plugins/plugin/${KEY}"`);
      t.notMatch(html, 'No key');
    }
    t.hasStrict(lines().slice(before), [{ operation: 'listPlugins', count: 2 }]);
    t.equal(lines().length, before + 1, 'once, not for each page');
  });

  await t.test('the error message of an external service is shown as text, in its section', async (t) => {
    answers.set('GET /api/cmt/plugin/list', { code: 40_012, message: 'Closed <b>today</b>', data: null });
    const { status, html } = await open('/plugins/?keyword=closed');
    t.equal(status, 200);
    t.match(html, /role="alert"(?:(?!<\/section>).)*Closed &lt;b&gt;today&lt;\/b&gt;/s);
    t.match(html, /"code":40012/, 'its code is kept');
    t.notMatch(html, '<b>today');
    t.match(html, '>Icons</a>', 'the tags are shown');
  });
});
