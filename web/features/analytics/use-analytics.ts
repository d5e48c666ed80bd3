import { useEffect } from 'react';
import type { UserInfo } from '../../../shared/entities/user.ts';
import { allowedStorages } from '../../api/tab-storage.ts';
import { loadCode } from '../../loading/load-code.ts';
import { type Collection, createCollection } from './collection.ts';

type Analytics = {
  /** Product name of the events. */
  product: string;
  /** Whether events may be collected; false also deletes the visitor's stored data. */
  isAllowed: boolean;
  isViewerKnown: boolean;
  viewer: UserInfo | undefined;
  /** Path and query of the page on screen. */
  page: string;
};

/** One per document, as the library can't be torn down. Undefined when the browser can't load it. */
let started: Promise<Collection | undefined> | undefined;

/** Collects events while the component is mounted and allowed to; the library is loaded when first allowed. */
export function useAnalytics({ product, isAllowed, isViewerKnown, viewer, page }: Analytics): void {
  const isOn = isAllowed && isViewerKnown;
  useEffect(() => {
    if (isAllowed) return;
    const forget = (): void => forgetVisitor(document, allowedStorages());
    forget();
    void started?.then((collection) => {
      collection?.end();
      forget();
    });
  }, [isAllowed]);

  useEffect(() => {
    if (!isOn) return;
    let isOver = false;
    started ??= start(product).catch(() => undefined);
    void started.then((collection) => isOver || collection?.resume(viewer));
    return () => {
      isOver = true;
      void started?.then((collection) => collection?.pause());
    };
  }, [product, isOn, viewer]);

  useEffect(() => {
    if (!isOn) return;
    const timer = setTimeout(() => void started?.then((collection) => collection?.seePage()));
    return () => clearTimeout(timer);
  }, [isOn, page]);
}

const importSensors = async () => (await import('sa-sdk-javascript/dist/v2/sensorsdata.es6.js')).default;

async function start(product: string): Promise<Collection> {
  return createCollection(await loadCode(importSensors), { address: location, product });
}

/** Prefixes of the library's cookies and storage keys. */
const STORAGE_PREFIXES = /^(?:sa_?jssdk|(?:tab-)?sawebjssdk|sensors(?:data|[-_]))/;

/** Deletes everything that the analytics library has stored in this browser. */
function forgetVisitor(page: Document, storages: readonly Storage[]): void {
  for (const text of page.cookie.split('; ')) {
    const [name = ''] = text.split('=', 1);
    if (STORAGE_PREFIXES.test(name)) page.cookie = `${name}=; Path=/; Max-Age=0`;
  }
  for (const storage of storages)
    for (const name of Object.keys(storage)) if (STORAGE_PREFIXES.test(name)) storage.removeItem(name);
}
