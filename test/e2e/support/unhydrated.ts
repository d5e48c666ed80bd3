import type { Locator, Page } from 'playwright-core';

const RELEASE = 'release';

/**
 * Documents that the page opens from now on hydrate nothing beyond the outermost boundary by themselves: as on a slow device, but
 * for as long as the test wants.
 */
export async function holdHydration(page: Page): Promise<void> {
  await page.addInitScript((release) => {
    const { postMessage } = MessagePort.prototype;
    const held: (() => void)[] = [];
    let isHeld = true;
    const isRootHydrated = (): boolean => {
      const first = document.querySelector('#root > *') ?? {};
      return Object.keys(first).some((key) => key.startsWith('__reactProps'));
    };
    // What is to be done later is sent to oneself in a message.
    MessagePort.prototype.postMessage = function (...message: unknown[]) {
      const send = (): void => Reflect.apply(postMessage, this, message);
      if (isHeld && isRootHydrated()) held.push(send);
      else send();
    };
    addEventListener(release, () => {
      isHeld = false;
      for (const send of held) send();
    });
  }, RELEASE);
}

/** Lets everything hydrate. */
export async function releaseHydration(page: Page): Promise<void> {
  await page.evaluate((release) => dispatchEvent(new Event(release)), RELEASE);
}

/** True while an element is as the server sent it. */
export async function isUnhydrated(element: Locator): Promise<boolean> {
  return element.evaluate((node) => !Object.keys(node).some((key) => key.startsWith('__reactProps')));
}
