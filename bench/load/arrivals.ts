import type { Pool } from 'undici';

/** Times in milliseconds from the due time of each request. */
export type OpenLoopResult = { times: number[]; failed: number; seconds: number };

export type PlannedRequest = { path: string; headers: Record<string, string> };

/**
 * An open loop: requests are due at a constant rate independent of earlier ones, and each is timed from its due time, so
 * that waiting before it is sent counts (no coordinated omission).
 * @param next returns the next request; `status`: of a success
 */
export async function runOpenLoop(
  pool: Pool,
  {
    rate,
    seconds,
    next,
    status = 200,
  }: { rate: number; seconds: number; next: () => PlannedRequest; status?: number },
): Promise<OpenLoopResult> {
  const times: number[] = [];
  const under = new Set<Promise<void>>();
  let failed = 0;

  async function ask(due: number): Promise<void> {
    const { path, headers } = next();
    try {
      const answer = await pool.request({ method: 'GET', path, headers });
      await answer.body.dump();
      if (answer.statusCode !== status) failed += 1;
    } catch {
      failed += 1;
    }
    times.push(performance.now() - due);
  }
  const started = performance.now();
  const count = rate * seconds;
  for (let sent = 0; sent < count; ) {
    const due = Math.min(count, 1 + Math.floor(((performance.now() - started) / 1000) * rate));
    for (; sent < due; sent += 1) {
      const one = ask(started + (sent / rate) * 1000);
      under.add(one);
      void one.then(() => under.delete(one));
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(under);
  return { times, failed, seconds: (performance.now() - started) / 1000 };
}
