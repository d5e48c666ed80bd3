import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import { awaitSection, endSection, holdAnswers, wholeFirstView } from '../../web/api/first-view.ts';

/** Whether what waits for the whole first view may go on. */
async function isWhole(): Promise<boolean> {
  return Promise.race([wholeFirstView().then(() => true), turn(false)]);
}

t.test('where nothing was rendered ahead nobody waits', async (t) => {
  t.ok(await isWhole());
});

t.test('a page without boundaries is whole once it is hydrated itself', async (t) => {
  holdAnswers();
  t.notOk(await isWhole());
  endSection();
  t.ok(await isWhole());
});

t.test('a page is whole once the last boundary is hydrated, or gone', async (t) => {
  holdAnswers();
  const [header, page, list] = [{}, {}, {}];
  awaitSection(header);
  awaitSection(page);
  endSection();
  endSection(header);
  awaitSection(list);
  endSection(page);
  t.notOk(await isWhole(), 'the list came with the page');
  endSection(list);
  t.ok(await isWhole());
  awaitSection({});
  t.ok(await isWhole(), 'later sections hold nothing up');
});
