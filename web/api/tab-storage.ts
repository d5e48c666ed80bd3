export type TabStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const inMemory = new Map<string, string>();

/** In memory: lasts as long as the page. */
const PAGE_STORAGE: TabStorage = {
  getItem: (key) => inMemory.get(key) ?? null,
  setItem: (key, value) => void inMemory.set(key, value),
  removeItem: (key) => void inMemory.delete(key),
};

/** The tab's session storage. Browsers that block all cookies deny it; then values last as long as the page. */
export function tabStorage(): TabStorage {
  return allowed(() => sessionStorage) ?? PAGE_STORAGE;
}

/** The storage that outlasts the tab; when denied, values last as long as the page. */
export function lastingStorage(): TabStorage {
  return allowed(() => localStorage) ?? PAGE_STORAGE;
}

/** Storages that the browser doesn't deny. */
export function allowedStorages(): Storage[] {
  return [allowed(() => localStorage), allowed(() => sessionStorage)].filter((one) => one !== undefined);
}

function allowed(storage: () => Storage): Storage | undefined {
  try {
    return storage();
  } catch {
    return undefined;
  }
}
