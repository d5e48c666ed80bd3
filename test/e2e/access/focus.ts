import type { Frame, Page } from 'playwright-core';

/** Where the keyboard stands, and what is wrong with how that shows. */
export type Stop = { html: string; faults: string[] };

/** Reads the stop of the keyboard, also inside a frame; null when it stands at the page itself. */
export async function focusedStop(page: Page | Frame): Promise<Stop | null> {
  const stop = await page.evaluate(readStop);
  if (!stop?.html.startsWith('<iframe')) return stop;
  const focused = await page.evaluateHandle(() => document.activeElement);
  const inside = await focused.asElement()?.contentFrame();
  await focused.dispose();
  return inside ? focusedStop(inside) : stop;
}

/**
 * Runs in the page. A focus is marked by an outline or a shadow: of the element, of a part of it, of its label, of what
 * stands beside it, or of a field around it (WCAG 2.2, 2.4.7). It is in sight when some point of it is not covered
 * (2.4.11).
 */
function readStop(): Stop | null {
  const element = document.activeElement;
  if (!(element instanceof HTMLElement) || element === document.body) return null;
  const isOutlined = (of: Element, part?: string): boolean => {
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(of, part);
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1 && !/, 0\)$/.test(outlineColor);
  };
  const isShaded = (of: Element, part?: string): boolean => getComputedStyle(of, part).boxShadow !== 'none';
  const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : [];
  const beside = [element.nextElementSibling, ...labels, ...labels.flatMap((label) => [...label.children])];
  const near = [element, ...beside].filter((one) => one !== null);
  const around = [element.parentElement, element.parentElement?.parentElement].filter((one) => one != null);
  const parts = [undefined, '::before', '::after'];
  const isMarked =
    near.some((one) => parts.some((part) => isOutlined(one, part) || isShaded(one, part))) ||
    around.some((one) => parts.some((part) => isOutlined(one, part)));

  const isHit = (x: number, y: number): boolean => {
    const hit = document.elementFromPoint(x, y);
    return hit !== null && near.concat(around).some((one) => one.contains(hit));
  };
  const boxes = [element, ...labels].map((one) => one.getBoundingClientRect());
  const isInSight = boxes.some(({ left, top, width, height }) =>
    [0.1, 0.5, 0.9].some((x) => [0.1, 0.5, 0.9].some((y) => isHit(left + width * x, top + height * y))),
  );
  const faults = [...(isMarked ? [] : ['is not marked']), ...(isInSight ? [] : ['is out of sight'])];
  return { html: element.outerHTML.replaceAll(/\s+/g, ' ').slice(0, 200), faults };
}
