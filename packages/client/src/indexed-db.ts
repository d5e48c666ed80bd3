import type { ClientStorage } from './storage.ts';

const STORE = 'values';

/** Keeps everything in this browser, for pages of this origin. `name`: of the database, one for each site and tool. */
export function indexedDbStorage(name: string): ClientStorage {
  let opened: Promise<IDBDatabase> | undefined;
  const open = () => {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    return settled(request);
  };
  const run = async <T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>) => {
    opened ??= open().catch((error: unknown) => {
      // So that the next call tries again.
      opened = undefined;
      throw error;
    });
    return settled(work((await opened).transaction(STORE, mode).objectStore(STORE)));
  };
  return {
    get: (key) => run<Uint8Array<ArrayBuffer> | undefined>('readonly', (store) => store.get(key)),
    set: async (key, value) => void (await run('readwrite', (store) => store.put(value, key))),
    delete: (key) => run('readwrite', (store) => store.delete(key)),
    names: async () => (await run('readonly', (store) => store.getAllKeys())).map(String),
  };
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
