import { Script } from 'node:vm';
import t from 'tap';
import { loadCatalogue } from '../../../server/community/demo/catalogue.ts';
import { loadHandedIn } from '../../../server/community/demo/handed-in.ts';
import { HANDED_IN_PROGRAMS } from '../../../server/community/demo/handed-in-programs.ts';
import { demoPackage, packageBytes } from '../../../server/community/demo/package.ts';
import { checkPackage } from '../../../shared/package/check-package.ts';
import { compareVersions } from '../../../shared/package/version.ts';

const { plugins, publishers, tags } = loadCatalogue();
const items = loadHandedIn(publishers);
const codes = tags.map(({ code }) => code);

t.test('there is something of every kind to review', async (t) => {
  const waiting = items.filter(({ reason }) => reason === undefined);
  t.equal(waiting.filter((item) => 'plugin' in item).length, 3);
  t.equal(waiting.filter((item) => 'change' in item && item.change.version).length, 2);
  t.equal(waiting.filter((item) => 'change' in item && !item.change.version).length, 1);
  t.equal(items.length - waiting.length, 2, 'two were refused');
});

t.test('what is changed is there, and changes', async (t) => {
  for (const item of items) {
    if (!('change' in item)) continue;
    const plugin = plugins.find(({ slug }) => slug === item.change.slug);
    const last = plugin?.versions.at(-1);
    if (!plugin || !last) throw new Error(`no plugin ${item.change.slug}`);
    const { version, listing } = item.change;
    t.ok(version || listing, plugin.slug);
    if (version) {
      t.ok(compareVersions(version.version, last.version) > 0, `${plugin.slug} ${version.version}`);
      const before = demoPackage(plugin, last).files['main.js'] ?? '';
      const after = demoPackage(plugin, version, item.program).files['main.js'] ?? '';
      const lines = new Set(before.split('\n'));
      t.ok(
        after.split('\n').filter((line) => !lines.has(line)).length >= 3,
        `${plugin.slug} differs in its code`,
      );
    }
    for (const text of Object.values(listing?.intro ?? {})) t.ok([...text].length <= 120, text);
    t.ok((listing?.tags ?? []).every((code) => codes.includes(code)));
  }
});

t.test('new plugins are like none that is there', async (t) => {
  const slugs = new Set(plugins.map(({ slug }) => slug));
  const drawn = new Set(plugins.flatMap(({ icon, cover }) => [JSON.stringify(icon), JSON.stringify(cover)]));
  for (const item of items) {
    if (!('plugin' in item)) continue;
    const { slug, icon, cover, tags: own, name, intro } = item.plugin;
    t.notOk(slugs.has(slug), slug);
    t.notOk(drawn.has(JSON.stringify(icon)) || drawn.has(JSON.stringify(cover)), `${slug} is drawn anew`);
    t.ok(
      own.every((code) => codes.includes(code)),
      `${slug} tags`,
    );
    for (const text of Object.values(name)) t.ok([...text].length <= 64, text);
    for (const text of Object.values(intro)) t.ok([...text].length <= 120, text);
  }
});

t.test('every program is used, and parses', async (t) => {
  const used = items.flatMap(({ program }) => program ?? []);
  t.same(new Set(used), new Set(Object.values(HANDED_IN_PROGRAMS)));
  for (const program of used) t.doesNotThrow(() => new Script(program));
});

t.test('every package of the demo passes the check', async (t) => {
  for (const plugin of plugins) {
    for (const version of plugin.versions) {
      const { findings, package: read } = checkPackage(packageBytes(demoPackage(plugin, version)));
      const serious = findings.filter(({ severity }) => severity !== 'notice');
      t.same(serious, [], `${plugin.slug} ${version.version}`);
      t.equal(read?.version, version.version);
    }
  }
});
