export type TabStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const untilReload = new Map<string, string>();

/** Lasts as long as the page alone. */
const PAGE_STORAGE: TabStorage = {
  getItem: (key) => untilReload.get(key) ?? null,
  setItem: (key, value) => void untilReload.set(key, value),
  removeItem: (key) => void untilReload.delete(key),
};

/** The storage of this tab. Browsers that are told to block all cookies deny it: then what is kept lasts for the page. */
export function tabStorage(): TabStorage {
  return allowed(() => sessionStorage) ?? PAGE_STORAGE;
}

/** The storage that outlasts the tab; where it is denied, what is kept lasts for the page. */
export function lastingStorage(): TabStorage {
  return allowed(() => localStorage) ?? PAGE_STORAGE;
}

/** Storages that the browser does not deny. */
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
