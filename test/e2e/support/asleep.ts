import type { Locator, Page } from 'playwright-core';

const RELEASE = 'release';

/**
 * Documents that the page opens from now on get no further by themselves than their surroundings: as on a slow device, but
 * for as long as the test wants.
 */
export async function keepSectionsAsleep(page: Page): Promise<void> {
  await page.addInitScript((release) => {
    const { postMessage } = MessagePort.prototype;
    const held: (() => void)[] = [];
    let isHeld = true;
    const isAlive = (): boolean => {
      const first = document.querySelector('#root > *') ?? {};
      return Object.keys(first).some((key) => key.startsWith('__reactProps'));
    };
    // What is to be done later is sent to oneself in a message.
    MessagePort.prototype.postMessage = function (...message: unknown[]) {
      const send = (): void => Reflect.apply(postMessage, this, message);
      if (isHeld && isAlive()) held.push(send);
      else send();
    };
    addEventListener(release, () => {
      isHeld = false;
      for (const send of held) send();
    });
  }, RELEASE);
}

/** Lets everything come to life. */
export async function wakeSections(page: Page): Promise<void> {
  await page.evaluate((release) => dispatchEvent(new Event(release)), RELEASE);
}

/** True while an element is as the server sent it. */
export async function isAsleep(element: Locator): Promise<boolean> {
  return element.evaluate((node) => !Object.keys(node).some((key) => key.startsWith('__reactProps')));
}
