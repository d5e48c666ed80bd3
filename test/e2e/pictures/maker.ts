import { createHash } from 'node:crypto';
import type { Page } from 'playwright-core';

/** With what pictures were taken: the browser's version, and a fingerprint of the fonts it writes with. */
export type Maker = { chromium: string; fonts: string };

const SAMPLES: Readonly<Record<string, string>> = {
  en: 'Find the right plugin 0123',
  ru: 'Найдите нужный плагин',
  zh: '找到合适的插件',
  ja: 'プラグインを見つける',
  ko: '알맞은 플러그인 찾기',
};

/** Reads who takes pictures here, on any page of the site: widths of words in the site's own fonts. */
export async function makerOf(page: Page): Promise<Maker> {
  const widths = await page.evaluate((samples) => {
    return Object.entries(samples).map(([lang, text]) => {
      const line = document.createElement('span');
      line.lang = lang;
      line.textContent = text;
      line.style.fontSize = '100px';
      line.style.whiteSpace = 'nowrap';
      document.body.append(line);
      const { width, height } = line.getBoundingClientRect();
      line.remove();
      return [width, height];
    });
  }, SAMPLES);
  const fonts = createHash('sha256').update(JSON.stringify(widths)).digest('hex').slice(0, 12);
  return { chromium: page.context().browser()?.version() ?? '', fonts };
}

const major = ({ chromium }: Maker): string => chromium.split('.')[0] ?? '';

/** Whether pictures of both can be compared pixel by pixel. */
export function drawAlike(one: Maker, other: Maker): boolean {
  return one.fonts === other.fonts && major(one) === major(other);
}

export const inWords = ({ chromium, fonts }: Maker): string => `Chromium ${chromium}, fonts ${fonts}`;
