/** Runs work a few at a time, in the order of the calls. */
export type Limiter = <T>(work: () => Promise<T>) => Promise<T>;

export function limitTo(most: number): Limiter {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= most) await new Promise<void>((resume) => waiting.push(resume));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
