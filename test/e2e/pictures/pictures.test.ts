import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { LANGUAGE_COOKIE_VALUES, LANGUAGES } from '../../../shared/languages.ts';
import { openBrowser } from '../support/browser.ts';
import { watchedPage } from '../support/page.ts';
import { runningProduct } from '../support/product.ts';
import { followRequests } from '../support/quiet.ts';
import { differingPatches, differingPixels } from './compare.ts';
import { keep, keepMaker, readKept, readMaker } from './kept.ts';
import { drawAlike, inWords, makerOf } from './maker.ts';
import { SCENES } from './scenes.ts';
import { takePicture } from './take.ts';
import { untilPainted } from './until-painted.ts';

const RENEW = process.argv.includes('--renew');
const HOW = 'To keep what is there now: npm run test:pictures -- --renew';
/** Share of pixels that may differ where the same browser draws with the same fonts. */
const PIXELS = 0.002;
/** Mean difference of patches that other letters make. */
const PATCHES = 0.04;
const KEPT_BYTES = 100 * 1024;

t.setTimeout(600_000);

t.test('pages look as they did', { timeout: 600_000 }, async (t) => {
  const origin = await runningProduct(t);
  await untilPainted(origin);
  const browser = await openBrowser(t);
  const folder = await mkdtemp(join(tmpdir(), 'plugin-square-pictures-'));

  for (const language of LANGUAGES) {
    t.test(language, { timeout: 300_000 }, async (t) => {
      const { page } = await watchedPage(browser, { reducedMotion: 'reduce', expected: /status of 404/ });
      const value = LANGUAGE_COOKIE_VALUES[language];
      await page.context().addCookies([{ name: 'lang', value, url: origin }]);
      const quiet = followRequests(page);
      for (const scene of SCENES) {
        const name = `${scene.name}-${language}`;
        const picture = await takePicture(page, origin, scene, quiet);
        const maker = await makerOf(page);
        if (RENEW) {
          await keepMaker(maker);
          t.ok((await keep(name, picture)) <= KEPT_BYTES, `${name} is kept, and small`);
          continue;
        }
        const keptBy = await readMaker();
        const kept = await readKept(name);
        const file = join(folder, `${name}.png`);
        await writeFile(file, picture);
        if (drawAlike(keptBy, maker)) {
          const { share, where } = await differingPixels(kept, picture);
          if (where && share > PIXELS) await writeFile(join(folder, `${name}.difference.png`), where);
          const said = `${name}: ${(share * 100).toFixed(2)} % of the pixels differ. Now: ${file}. ${HOW}`;
          t.ok(share <= PIXELS, share <= PIXELS ? name : said);
        } else {
          const share = await differingPatches(kept, picture);
          const said =
            `${name}: laid out or coloured otherwise by ${(share * 100).toFixed(1)} %; letters were not compared, ` +
            `since it was kept with ${inWords(keptBy)}, and here is ${inWords(maker)}. Now: ${file}. ${HOW}`;
          t.ok(share <= PATCHES, share <= PATCHES ? name : said);
        }
      }
      await page.context().close();
    });
  }
});
