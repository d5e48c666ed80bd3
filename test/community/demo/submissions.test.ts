import { Script } from 'node:vm';
import t from 'tap';
import { loadCatalogue, packageOf } from '../../../server/community/demo/catalogue.ts';
import { checkPackage } from '../../../shared/package/check-package.ts';
import { compareVersions } from '../../../shared/package/version.ts';

const { plugins, submissions, tags } = loadCatalogue();
const codes = tags.map(({ code }) => code);
const isNew = ({ plugin }: (typeof submissions)[number]) => !plugins.includes(plugin);

t.test('has a submission of every kind', async (t) => {
  const waiting = submissions.filter(({ reason }) => reason === undefined);
  t.equal(waiting.filter(isNew).length, 3);
  t.equal(waiting.filter((item) => !isNew(item) && item.version).length, 2);
  t.equal(waiting.filter(({ listing }) => listing).length, 1);
  t.equal(submissions.length - waiting.length, 2, 'two were rejected');
});

t.test('changes are real', async (t) => {
  for (const item of submissions.filter((item) => !isNew(item))) {
    const { plugin, version, listing, program } = item;
    const last = plugin.versions.at(-1);
    t.ok(version || listing, plugin.slug);
    if (version && last) {
      t.ok(compareVersions(version.version, last.version) > 0, `${plugin.slug} ${version.version}`);
      const lines = new Set(mainOf(packageOf(plugin, last)).split('\n'));
      const changed = mainOf(packageOf(plugin, version, program)).split('\n');
      t.ok(changed.filter((line) => !lines.has(line)).length >= 3, `${plugin.slug} differs in its code`);
    }
    for (const text of Object.values(listing?.intro ?? {})) t.ok([...text].length <= 120, text);
    t.ok((listing?.tags ?? []).every((code) => codes.includes(code)));
  }
});

t.test('new plugins are different from existing ones', async (t) => {
  const slugs = new Set(plugins.map(({ slug }) => slug));
  for (const { plugin } of submissions.filter(isNew)) {
    const { slug, tags: own, name, intro } = plugin;
    t.notOk(slugs.has(slug), slug);
    t.ok(
      own.every((code) => codes.includes(code)),
      `${slug} tags`,
    );
    for (const text of Object.values(name)) t.ok([...text].length <= 64, text);
    for (const text of Object.values(intro)) t.ok([...text].length <= 120, text);
  }
});

t.test('every package is valid and unique', async (t) => {
  const versions = plugins.flatMap((plugin) => plugin.versions.map((version) => packageOf(plugin, version)));
  for (const text of versions) {
    const { findings, package: read } = checkPackage(Buffer.from(text));
    const serious = findings.filter(({ severity }) => severity !== 'notice');
    t.strictSame(serious, [], `${read?.external_id} ${read?.version}`);
  }
  t.equal(new Set(versions).size, versions.length);
  for (const { plugin, version, program } of submissions) {
    if (!version) continue;
    t.doesNotThrow(() => new Script(mainOf(packageOf(plugin, version, program))), plugin.slug);
  }
});

function mainOf(text: string): string {
  return JSON.parse(text).files['main.js'];
}
