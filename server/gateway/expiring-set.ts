export type ExpiringSet = {
  add(value: string, until: number): void;
  has(value: string): boolean;
};

/** Values that matter until a moment (milliseconds since 1970); at most `limit`, the oldest forgotten first. */
export function expiringSet({ limit, now }: { limit: number; now: () => number }): ExpiringSet {
  const untilOf = new Map<string, number>();
  let nextSweep = 0;

  const sweep = (): void => {
    const time = now();
    if (time < nextSweep) return;
    nextSweep = time + 60_000;
    for (const [value, until] of untilOf) if (until <= time) untilOf.delete(value);
  };
  return {
    add(value, until) {
      sweep();
      untilOf.delete(value);
      untilOf.set(value, until);
      for (const oldest of untilOf.keys()) {
        if (untilOf.size <= limit) break;
        untilOf.delete(oldest);
      }
    },
    has(value) {
      const until = untilOf.get(value);
      return until !== undefined && until > now();
    },
  };
}
