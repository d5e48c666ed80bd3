import type { Locator, Page } from 'playwright-core';
import { focusedStop } from './focus.ts';

/** Stops after which what is looked for is taken for unreachable. */
const FAR = 300;

/** A page in the hands of somebody without a pointer. */
export type Keys = {
  /** Goes on by Tab until the keyboard stands at `target`. */
  to(target: Locator): Promise<void>;
  /** Goes on by Tab to `target` and presses a key there, Enter unless told. */
  press(target: Locator, key?: string): Promise<void>;
  /** Goes on by Tab to `target` and types there. */
  type(target: Locator, text: string): Promise<void>;
  /** Goes by Tab once through everything; answers the number of stops. */
  through(): Promise<number>;
  /** Stops at which one could not see where one was. */
  faults: string[];
};

const isFocused = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === document.activeElement && document.hasFocus());

export function keysOf(page: Page): Keys {
  const faults: string[] = [];
  const look = async (): Promise<string | null> => {
    const stop = await focusedStop(page);
    for (const fault of stop?.faults ?? [])
      faults.push(`${new URL(page.url()).pathname}: ${stop?.html} ${fault}`);
    return stop?.html ?? null;
  };
  const to = async (target: Locator): Promise<void> => {
    await target.first().waitFor();
    for (let stop = 0; stop < FAR; stop += 1) {
      if (await isFocused(target.first())) return;
      await page.keyboard.press('Tab');
      await look();
    }
    throw new Error(`The keyboard does not reach ${target} on ${page.url()}.`);
  };
  return {
    faults,
    to,
    press: async (target, key = 'Enter') => {
      await to(target);
      await page.keyboard.press(key);
    },
    type: async (target, text) => {
      await to(target);
      await page.keyboard.type(text);
    },
    through: async () => {
      let stops = 0;
      do {
        await page.keyboard.press('Tab');
        stops += 1;
      } while ((await look()) !== null && stops < FAR);
      return stops - 1;
    },
  };
}
