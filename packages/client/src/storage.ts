/** Where a client keeps what it has: bytes by name. Names have only letters, digits, `-`, `_`, `.` and `/`. */
export type ClientStorage = {
  get(name: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
  set(name: string, value: Uint8Array<ArrayBuffer>): Promise<void>;
  delete(name: string): Promise<void>;
  names(): Promise<string[]>;
};

/** Keeps everything until the program ends. */
export function memoryStorage(): ClientStorage {
  const kept = new Map<string, Uint8Array<ArrayBuffer>>();
  return {
    get: async (name) => kept.get(name)?.slice(),
    set: async (name, value) => void kept.set(name, value.slice()),
    delete: async (name) => void kept.delete(name),
    names: async () => [...kept.keys()],
  };
}

/** Reads a value that `writeJson` has written; undefined without one, or if it was damaged. */
export async function readJson<T>(storage: ClientStorage, name: string): Promise<T | undefined> {
  const bytes = await storage.get(name);
  if (!bytes) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

export function writeJson(storage: ClientStorage, name: string, value: unknown): Promise<void> {
  return storage.set(name, new TextEncoder().encode(JSON.stringify(value)));
}
