/** What a plugin may look like: one value where the service has answered, two where an answer is missing. */
export type Known = {
  version: Set<string>;
  audit_status: Set<number>;
  is_praise: Set<number>;
  is_installed: Set<boolean>;
};

/** What has been written, as far as those who wrote know. */
export type Ledger = {
  plugins: Map<string, Known>;
  /** Versions that were taken, as "key version". */
  versions: string[];
  accounts: { email: string; password: string }[];
  /** Writes that were acknowledged, and those whose answer never came or said that nothing could be done now. */
  acknowledged: number;
  unanswered: number;
  /** Answers that no fault explains, as "status code path". */
  odd: string[];
  /** When the last write was acknowledged, by `performance.now()`. */
  lastAt: number;
};

export function openLedger(): Ledger {
  return {
    plugins: new Map(),
    versions: [],
    accounts: [],
    acknowledged: 0,
    unanswered: 0,
    odd: [],
    lastAt: 0,
  };
}

/** A plugin that has just been submitted. */
export function handedIn(): Known {
  return {
    version: new Set(['1.0.0']),
    audit_status: new Set([1]),
    is_praise: new Set([-1]),
    is_installed: new Set([false]),
  };
}

/** The write was acknowledged: no other value will do from now on. */
export function settled<T>(values: Set<T>, value: T): void {
  values.clear();
  values.add(value);
}

/** What differs from what is known, as "key field value". */
export function differences(key: string, known: Known, seen: Record<string, unknown>): string[] {
  return Object.entries(known).flatMap(([field, values]: [string, Set<unknown>]) =>
    values.has(seen[field]) ? [] : [`${key} ${field} ${String(seen[field])}`],
  );
}
