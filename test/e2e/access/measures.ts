import type { Page } from 'playwright-core';
import sharp from 'sharp';

/** Texts that a box cuts at its right edge, and cells of tables that are covered. */
export async function hiddenTexts(page: Page): Promise<string[]> {
  return [...(await cutTexts(page)), ...(await coveredCells(page))];
}

/** Texts that a box cuts at its right edge, with an ellipsis or without. */
function cutTexts(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.body.querySelectorAll<HTMLElement>('*')].flatMap((element) => {
      const { overflowX } = getComputedStyle(element);
      const { width, height } = element.getBoundingClientRect();
      const isClipping = overflowX === 'hidden' || overflowX === 'clip';
      if (!isClipping || width <= 1 || height <= 1 || element.scrollWidth <= element.clientWidth + 1)
        return [];
      if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return [];
      // Its other slides are beside the first.
      if (element.closest('[aria-roledescription=carousel]') || !element.innerText.trim()) return [];
      return [`${element.scrollWidth} px in ${element.clientWidth}: ${element.innerText.slice(0, 80)}`];
    }),
  );
}

/** Cells of tables that are partly behind the column that stays in view, or outside the part that scrolls. */
function coveredCells(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLTableCellElement>('main :is(th, td)')].flatMap((cell) => {
      const last = cell.parentElement?.lastElementChild;
      const region = cell.closest('table')?.parentElement;
      if (!last || !region || !cell.checkVisibility()) return [];
      const stays = last !== cell && getComputedStyle(last).position === 'sticky';
      const edge = stays ? last.getBoundingClientRect().left : region.getBoundingClientRect().right;
      const end = cell.getBoundingClientRect().right;
      return end > edge + 1 ? [`${Math.round(end - edge)} px covered: ${cell.innerText.slice(0, 80)}`] : [];
    }),
  );
}

/**
 * Switches, check boxes and radio buttons that are not in the middle of their line, or whose label is higher or lower than
 * what is around it, which neighbours are in line with.
 */
export function unlevelControls(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('label:has([type=checkbox], [type=radio])')].flatMap((label) => {
      const control = label.querySelector('input');
      const text = label.querySelector('span');
      const around = label.parentElement;
      if (!control || !text || !around || control.offsetWidth <= 1 || !label.checkVisibility()) return [];
      const middleOf = (element: Element): number => {
        const { top, bottom } = element.getBoundingClientRect();
        return (top + bottom) / 2;
      };
      const line =
        text.offsetWidth <= 1
          ? middleOf(label)
          : control.role === 'switch'
            ? middleOf(text)
            : text.getBoundingClientRect().top + Number.parseFloat(getComputedStyle(text).lineHeight) / 2;
      const isAlone = [...around.children].every((child) => child === label || child.clientHeight === 0);
      const surplus = isAlone ? middleOf(around) - middleOf(label) : 0;
      const above = line - middleOf(control) + surplus;
      return Math.abs(above) < 0.1
        ? []
        : [`${above.toFixed(2)} px too high: ${label.outerHTML.slice(0, 160)}`];
    }),
  );
}

/** Icons that a line without room has made narrower than they are drawn. */
export function squashedIcons(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('svg[viewBox="0 0 24 24"]')].flatMap((icon) => {
      const { width, height } = getComputedStyle(icon);
      const missing = Number.parseFloat(height) - Number.parseFloat(width);
      const isForReadersOnly = (icon.parentElement?.getBoundingClientRect().width ?? 0) <= 1;
      return missing < 1 || isForReadersOnly || !icon.checkVisibility()
        ? []
        : [`${missing.toFixed(1)} px too narrow: ${icon.parentElement?.outerHTML.slice(0, 160)}`];
    }),
  );
}

/** Pixels that at least differ between a chosen control and the same one when it is not. */
const NOTABLE = 24;
/** Difference of a colour channel, 0 to 255, that counts. */
const VISIBLE = 60;

type Box = { left: number; top: number; width: number; height: number };
type Chosen = { html: string; box: Box };

/**
 * What is lost where the system replaces all colours: chosen controls that look the same when they are not chosen, and
 * switches and bars, which are told by a fill, without a frame.
 */
export async function lostInForcedColours(page: Page): Promise<string[]> {
  await page.emulateMedia({ forcedColors: 'active' });
  const chosen = await page.evaluate(findChosen);
  const before = chosen.length > 0 && (await page.screenshot({ animations: 'disabled', caret: 'hide' }));
  await page.evaluate(() => dispatchEvent(new Event('not-chosen')));
  const after = chosen.length > 0 && (await page.screenshot({ animations: 'disabled', caret: 'hide' }));
  await page.evaluate(() => dispatchEvent(new Event('chosen-again')));
  const unframed = await page.evaluate(() =>
    [...document.querySelectorAll('[role=switch], [role=progressbar]')].flatMap((control) => {
      const { borderTopStyle, borderTopWidth } = getComputedStyle(control);
      const isFramed = borderTopStyle !== 'none' && Number.parseFloat(borderTopWidth) > 0;
      return isFramed || !control.checkVisibility()
        ? []
        : [`has no frame: ${control.outerHTML.slice(0, 160)}`];
    }),
  );
  await page.emulateMedia({ forcedColors: null });
  if (!before || !after) return unframed;
  const lost: string[] = [];
  for (const { html, box } of chosen)
    if ((await differingPixels(before, after, box)) < NOTABLE) lost.push(`looks as if not chosen: ${html}`);
  return [...lost, ...unframed];
}

async function differingPixels(before: Buffer, after: Buffer, box: Box): Promise<number> {
  const [one, other] = await Promise.all(
    [before, after].map((picture) => sharp(picture).removeAlpha().extract(box).raw().toBuffer()),
  );
  if (!one || !other) throw new Error('expected two pictures');
  return one.filter((value, index) => Math.abs(value - (other[index] ?? 0)) > VISIBLE).length / 3;
}

/**
 * Runs in the page: the chosen controls in the window that have one beside them that is not. The event `not-chosen` makes
 * them look like that one, `chosen-again` as before.
 */
function findChosen(): Chosen[] {
  const CHOSEN =
    ':is([role=tab], button, a):is([aria-selected=true], [aria-pressed=true], [aria-current]:not([aria-current=false]))';
  const STATES = ['aria-selected', 'aria-pressed', 'aria-current', 'data-active'];
  const found: Chosen[] = [];
  for (const element of document.querySelectorAll(CHOSEN)) {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    const isInside = left >= 0 && top >= 0 && right < innerWidth && bottom < innerHeight && right - left > 1;
    // A dialog or a bar that stays in the window may be over it.
    const isUncovered = [top + 2, (top + bottom) / 2, bottom - 2].every((y) =>
      element.contains(document.elementFromPoint((left + right) / 2, y)),
    );
    const group = element.closest('ul, ol, nav, fieldset, [role=tablist]') ?? element.parentElement;
    const peer = [...(group?.querySelectorAll(element.localName) ?? [])].find(
      (other) =>
        !other.matches(CHOSEN) &&
        [...other.classList].every((name) => element.classList.contains(name)) &&
        other.getAttribute('role') === element.getAttribute('role'),
    );
    if (!isInside || !isUncovered || !peer || !element.checkVisibility({ opacityProperty: true })) continue;
    const names = [...STATES, 'class'];
    const own = names.map((name) => [name, element.getAttribute(name)] as const);
    const show = (look: typeof own): void => {
      for (const [name, value] of look)
        if (value === null) element.removeAttribute(name);
        else element.setAttribute(name, value);
    };
    const others = names.map((name) => [name, peer.getAttribute(name)] as const);
    addEventListener('not-chosen', () => show(others), { once: true });
    addEventListener('chosen-again', () => show(own), { once: true });
    found.push({
      html: element.outerHTML.replaceAll(/\s+/g, ' ').slice(0, 160),
      box: {
        left: Math.floor(left),
        top: Math.floor(top),
        width: Math.ceil(right) - Math.floor(left),
        height: Math.ceil(bottom) - Math.floor(top),
      },
    });
  }
  return found;
}
