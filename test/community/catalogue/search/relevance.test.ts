import { readFileSync } from 'node:fs';
import t from 'tap';
import { demoKey } from '../../../../demo/catalogue.ts';
import { openJapaneseReader } from '../../../../server/community/catalogue/japanese/reader.ts';
import { contract } from '../../../../shared/contract.ts';
import { testCommunity } from '../../../support/community.ts';
import { demoTemplate } from '../../../support/demo-template.ts';
import { silentLog } from '../../../support/log.ts';
import { ask, dataOf } from '../../ask.ts';

/**
 * By language: keywords as users type them, with typos, full-width letters, pinyin, kana of either kind, kana for kanji and the other
 * way round, and punctuation; and the slug of the plugin they mean.
 */
const golden: Record<string, [keyword: string, slug: string][]> = JSON.parse(
  readFileSync(new URL('../../../fixtures/golden-queries.json', import.meta.url), 'utf8'),
);
const FIRST = 3;

const demo = await demoTemplate();
const japanese = openJapaneseReader({ log: silentLog, now: Date.now });
const { url } = await testCommunity(t, { template: demo.database, japanese });

t.test('the intended plugin is among the first three', async (t) => {
  const missed: string[] = [];
  let count = 0;
  for (const [language, queries] of Object.entries(golden)) {
    t.equal(queries.length, language === 'ja-JP' ? 41 : 25, language);
    for (const [keyword, slug] of queries) {
      count += 1;
      const path = `plugin/list?limit=${FIRST}&keyword=${encodeURIComponent(keyword)}`;
      const page = dataOf(
        await ask(url, path, { headers: { 'accept-language': language } }),
        contract.listPlugins.data,
      );
      const names = page.plugin_list.map(({ plugin_key }) => plugin_key);
      if (!names.includes(demoKey(slug)))
        missed.push(`${language} “${keyword}” meant ${slug}: ${names.join(', ')}`);
    }
  }
  t.equal(count, 166);
  t.strictSame(missed, []);
});
