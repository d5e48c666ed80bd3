import t from 'tap';
import { contract } from '../../../../shared/contract.ts';
import { testCommunity } from '../../../support/community.ts';
import { ask, dataOf } from '../../ask.ts';
import { formOf, jsonFile, packageText, pluginForm } from '../publish/form-parts.ts';
import { publishing } from '../publish/publishing.ts';

t.test('a description in Markdown', async (t) => {
  const community = await testCommunity(t, { publishers: 'members' });
  const { send, sent, pass } = publishing(community);
  const read = async (plugin_key: string) =>
    dataOf(await ask(community.url, `plugin?plugin_key=${plugin_key}`), contract.readPlugin.data);
  const edited = async (plugin_key: string) =>
    dataOf(
      await ask(community.url, `plugin/edit?plugin_key=${plugin_key}`, {
        headers: await community.bearer(7, 0),
      }),
      contract.readEditablePlugin.data,
    ).listing;
  const source =
    '# Grid\n\nIt **keeps** the grid, see [how](https://example.com/how).\n\n- one\n- `two`\n\n> quoted';
  const markdown = { description: JSON.stringify({ 'en-US': source }), description_format: 'markdown' };

  await t.test('has blocks for pages and plain text for everything else', async (t) => {
    const { plugin_key } = await sent(pluginForm(markdown));
    await pass(plugin_key);
    t.strictSame(
      (({ description, description_lang, description_blocks }) => ({
        description,
        description_lang,
        description_blocks,
      }))(await read(plugin_key)),
      {
        description:
          'Grid\n\nIt keeps the grid, see how (https://example.com/how).\n\n- one\n- two\n\nquoted',
        description_lang: 'en-US',
        description_blocks: [
          { kind: 'heading', level: 3, id: '', runs: [{ text: 'Grid' }] },
          {
            kind: 'paragraph',
            runs: [
              { text: 'It ' },
              { text: 'keeps', strong: true },
              { text: ' the grid, see ' },
              { text: 'how', href: 'https://example.com/how' },
              { text: '.' },
            ],
          },
          {
            kind: 'list',
            ordered: false,
            items: [
              { depth: 0, runs: [{ text: 'one' }] },
              { depth: 0, runs: [{ text: 'two', code: true }] },
            ],
          },
          { kind: 'quote', runs: [{ text: 'quoted' }] },
        ],
      },
    );
    t.hasStrict(await edited(plugin_key), {
      description: { 'en-US': source },
      description_format: 'markdown',
    });
  });

  await t.test('nothing of it can be more than text, formats and web links', async (t) => {
    const text = [
      '<script>alert(1)</script> <b>bold</b>',
      '![picture](https://example.com/a.png)',
      '[script](javascript:alert(1)) [path](/plugins/my-plugins) [data](data:text/html,x)',
      '| a | b |\n|---|---|\n| c | d |',
    ].join('\n\n');
    const { blocks } = dataOf(
      await ask(community.url, 'plugin/description/preview', {
        headers: await community.bearer(7, 0),
        body: { description: text },
      }),
      contract.previewDescription.data,
    );
    t.strictSame(
      blocks.map((block) => ('runs' in block ? block.runs.map(({ text }) => text).join('') : block.kind)),
      ['<script>alert(1)</script> <b>bold</b>', 'picture', 'script path data', 'a · b\nc · d'],
    );
    t.notMatch(JSON.stringify(blocks), /"(?:href|src)"/);
  });

  await t.test('a plain one stays as it is, and replaces one in Markdown', async (t) => {
    const plain = '# not a heading\n*as typed*';
    const { plugin_key } = await sent(
      pluginForm({ ...markdown, code: jsonFile(packageText({}, 'plain();')) }),
    );
    await sent(formOf({ plugin_key, description: JSON.stringify({ 'en-US': plain }) }), { method: 'PUT' });
    await pass(plugin_key);
    const shown = await read(plugin_key);
    t.equal(shown.description, plain);
    t.notOk('description_blocks' in shown);
    t.notOk('description_format' in (await edited(plugin_key)));
  });

  await t.test('another change keeps it', async (t) => {
    const { plugin_key } = await sent(
      pluginForm({ ...markdown, code: jsonFile(packageText({}, 'kept();')) }),
    );
    await sent(formOf({ plugin_key, contact: 'other@example.com' }), { method: 'PUT' });
    t.hasStrict(await edited(plugin_key), { description: { 'en-US': source }, contact: 'other@example.com' });
  });

  await t.test('one that is nested too deeply is refused', async (t) => {
    const deep = JSON.stringify({ 'en-US': '> '.repeat(400) });
    t.hasStrict(await send(pluginForm({ ...markdown, description: deep })), {
      status: 422,
      json: {
        code: 'LISTING_INVALID',
        errors: [{ code: 'MARKDOWN_TOO_DEEP', pointer: '/description/en-US' }],
      },
    });
  });

  await t.test('its length is that of what is typed', async (t) => {
    const long = JSON.stringify({ 'en-US': `**${'a'.repeat(4997)}**` });
    t.hasStrict(await send(pluginForm({ ...markdown, description: long })), {
      status: 422,
      json: { errors: [{ code: 'TEXT_TOO_LONG', pointer: '/description/en-US' }] },
    });
  });
});

t.test('licence, links and what is collected', async (t) => {
  const community = await testCommunity(t, { publishers: 'members' });
  const { send, sent, pass } = publishing(community);
  const facts = {
    license: ' mit ',
    home_page: 'https://example.com',
    source_url: 'https://example.com/code',
    issues_url: 'https://example.com/issues',
    data_collected: JSON.stringify({ kinds: ['usage', 'account'], other: { 'en-US': 'Your language' } }),
  };
  const read = async (plugin_key: string) =>
    dataOf(await ask(community.url, `plugin?plugin_key=${plugin_key}`), contract.readPlugin.data);

  await t.test('are on the page', async (t) => {
    const { plugin_key } = await sent(pluginForm(facts));
    await pass(plugin_key);
    t.hasStrict(await read(plugin_key), {
      license: { name: 'MIT', url: 'https://spdx.org/licenses/MIT.html' },
      home_page: 'https://example.com/',
      source_url: 'https://example.com/code',
      issues_url: 'https://example.com/issues',
      data_collected: { kinds: ['account', 'usage'], other: 'Your language', lang: 'en-US' },
      releases: { last_year: 1 },
    });
    const change = formOf({
      plugin_key,
      license: 'Our own licence',
      home_page: '',
      remove: '["data_collected"]',
    });
    await sent(change, { method: 'PUT' });
    await pass(plugin_key);
    t.hasStrict(await read(plugin_key), {
      license: { name: 'Our own licence', url: null },
      home_page: '',
      source_url: 'https://example.com/code',
      data_collected: null,
    });
  });

  await t.test('come from the package where the form has none', async (t) => {
    const listing = {
      license: 'Apache-2.0',
      homePage: 'https://example.com/grid',
      description: '*Grid*',
      descriptionFormat: 'markdown',
      dataCollected: { kinds: [], other: {} },
    };
    const code = jsonFile(packageText({ listing }, 'packaged();'));
    const { plugin_key } = await sent(pluginForm({ description: undefined, code }));
    await pass(plugin_key);
    t.hasStrict(await read(plugin_key), {
      license: { name: 'Apache-2.0' },
      home_page: 'https://example.com/grid',
      description: 'Grid',
      description_blocks: [{ kind: 'paragraph', runs: [{ text: 'Grid', emphasis: true }] }],
      data_collected: { kinds: [], other: '' },
    });
  });

  await t.test('what a version adds to the one before it', async (t) => {
    const manifest = (domains: string[], permissions: string[]) => ({
      manifest: {
        name: 'Grid Keeper',
        api: '1.0.0',
        main: 'main.js',
        permissions,
        networkAccess: { allowedDomains: domains },
      },
    });
    const first = jsonFile(packageText(manifest(['a.example.com'], []), 'first();'));
    const { plugin_key } = await sent(pluginForm({ code: first }));
    await pass(plugin_key);
    t.equal((await read(plugin_key)).added_rights, null);
    const second = packageText(manifest(['a.example.com', 'b.example.com'], ['currentuser']), 'second();');
    await sent(pluginForm({ plugin_key, version: '1.1.0', code: jsonFile(second) }));
    await pass(plugin_key);
    t.strictSame((await read(plugin_key)).added_rights, {
      since: '1.0.0',
      domains: ['b.example.com'],
      permissions: ['currentuser'],
    });
  });

  await t.test('a link that is not https is refused', async (t) => {
    t.hasStrict(await send(pluginForm({ home_page: 'http://example.com', source_url: 'https://a@b.com' })), {
      status: 422,
      json: {
        code: 'LISTING_INVALID',
        errors: [
          { code: 'LINK_NOT_SECURE', pointer: '/home_page' },
          { code: 'LINK_NOT_SECURE', pointer: '/source_url' },
        ],
      },
    });
  });
});
