import { sql } from 'kysely';
import t from 'tap';
import {
  createMissedSearches,
  writeMissed,
} from '../../../../server/community/catalogue/missed-searches/missed.ts';
import { contract } from '../../../../shared/contract.ts';
import { testCommunity } from '../../../support/community.ts';
import { addPlugin } from '../../add-plugin.ts';
import { ask, dataOf } from '../../ask.ts';

t.test('searches that found nothing', async (t) => {
  const clock = { now: Date.parse('2026-03-10T12:00:00Z') };
  const community = await testCommunity(t, { now: () => clock.now });
  const { db, url } = community;
  const admin = await community.bearer(1, 1);
  const given = { db, clock: () => clock.now };
  const stored = async () =>
    (
      await sql<{
        keyword: string;
        count: number;
      }>`select keyword, count from missed_search order by keyword`.execute(db)
    ).rows;

  t.test('are counted by keyword and day, in memory until they are written', async (t) => {
    const missed = createMissedSearches();
    for (const keyword of ['wireframe', 'wireframe', 'moodboard']) missed.note(keyword);
    t.strictSame(await stored(), []);
    await writeMissed(given, missed);
    missed.note('wireframe');
    await writeMissed(given, missed);
    t.strictSame(await stored(), [
      { keyword: 'moodboard', count: 1 },
      { keyword: 'wireframe', count: 3 },
    ]);
    await sql`delete from missed_search`.execute(db);
  });

  t.test('are not the beginnings of a word that is being typed', async (t) => {
    const missed = createMissedSearches();
    for (const keyword of ['wir', 'wiref', 'wireframe', 'wool']) missed.note(keyword);
    t.strictSame(
      [...missed.take()],
      [
        ['wireframe', 1],
        ['wool', 1],
      ],
    );
  });

  t.test('are neither addresses nor numbers nor long texts', async (t) => {
    const missed = createMissedSearches();
    for (const keyword of ['mei@example.com', 'https://example.com', 'call 13800138000', 'x'.repeat(41)])
      missed.note(keyword);
    t.equal(missed.take().size, 0);
  });

  t.test('are at most 500 in memory and 1,000 a day', async (t) => {
    const missed = createMissedSearches();
    for (let round = 0; round < 3; round += 1) {
      for (let n = 0; n < 600; n += 1) missed.note(`w${round}x${n}y`);
      await writeMissed(given, missed);
    }
    t.equal((await stored()).length, 1000);
    missed.note('w0x1y');
    missed.note('another');
    await writeMissed(given, missed);
    t.strictSame(
      (await stored()).filter(({ count }) => count > 1).map(({ keyword }) => keyword),
      ['w0x1y'],
    );
    await sql`delete from missed_search`.execute(db);
  });

  t.test('are kept for the next write where one fails', async (t) => {
    const missed = createMissedSearches();
    missed.note('wireframe');
    missed.putBack(missed.take());
    t.strictSame([...missed.take()], [['wireframe', 1]]);
  });

  t.test('are deleted after 90 days', async (t) => {
    await sql`insert into missed_search values ('2025-12-10', 'old', 9), ('2025-12-11', 'recent', 9)`.execute(
      db,
    );
    await writeMissed(given, createMissedSearches());
    t.strictSame(
      (await stored()).map(({ keyword }) => keyword),
      ['old', 'recent'].slice(1),
    );
    await sql`delete from missed_search`.execute(db);
  });

  t.test('are shown to administrators from five times on, the most frequent first', async (t) => {
    await sql`
      insert into missed_search values ('2026-03-10', 'four', 4), ('2026-03-10', 'five', 5),
        ('2026-03-09', 'twice', 3), ('2026-03-10', 'twice', 3)`.execute(db);
    const answer = await ask(url, 'manager/search/missed', { headers: admin });
    const { missed_list } = dataOf(answer, contract.listMissedSearches.data);
    t.strictSame(
      missed_list.map(({ keyword, count }) => [keyword, count]),
      [
        ['twice', 6],
        ['five', 5],
      ],
    );
    await sql`delete from missed_search`.execute(db);
  });

  t.test('are those of the list, whatever is shown instead, and no others', async (t) => {
    await addPlugin(db, { key: 'contrast-one', name: { 'en-US': 'Contrast' } });
    for (const keyword of ['contarst', 'CONTARST&exact=1', 'contrast', '!!!', '']) {
      await ask(url, `plugin/list?keyword=${keyword}`);
    }
    await community.app.close();
    t.strictSame(await stored(), [{ keyword: 'contarst', count: 2 }]);
  });
});
