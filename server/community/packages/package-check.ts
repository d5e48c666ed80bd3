import { createHash } from 'node:crypto';
import { Piscina } from 'piscina';
import { type FindingCode, finding } from '../../../shared/package/finding-codes.ts';
import { DEFAULT_PACKAGE_LIMITS, inMegabytes, type PackageLimits } from '../../../shared/package/limits.ts';
import type { Origin } from '../../../shared/package/report.ts';
import { limitTo } from '../media/limiter.ts';
import type { CheckedPackage, CheckTask } from './check-worker.ts';

/** Milliseconds that one package may take; one of 10 MiB takes about two seconds. */
const TIME_LIMIT = 30_000;
/** Milliseconds after which a thread that has nothing to do ends. */
const IDLE_TIME = 10_000;
/** Memory of the thread: several times what a package of 10 MiB needs. */
const MEMORY_LIMIT = { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };

export type PackageCheckOptions = {
  limits?: PackageLimits;
  /** Milliseconds that one package may take, waiting for its turn not counted. */
  timeLimit?: number;
  memoryLimit?: typeof MEMORY_LIMIT;
  idleTime?: number;
  /** Told of a thread that failed when its package had been answered already. */
  onLateFailure?: (error: unknown) => void;
};

/** Checks packages away from the thread that answers requests, one at a time in the order they come. */
export type PackageCheck = {
  /** A package that takes too long or too much memory is refused by a finding, like any other fault. */
  check(bytes: Uint8Array, origin?: Origin): Promise<CheckedPackage>;
  close(): Promise<void>;
};

/** Opens the check; its thread starts with the first package and ends when there are none (design section 7). */
export function openPackageCheck(options: PackageCheckOptions = {}): PackageCheck {
  const { limits = DEFAULT_PACKAGE_LIMITS, timeLimit = TIME_LIMIT } = options;
  let pool = openPool(options);
  const oneByOne = limitTo(1);

  async function check(bytes: Uint8Array, origin?: Origin): Promise<CheckedPackage> {
    if (bytes.length > limits.fileBytes) {
      return refused(bytes, origin, 'PACKAGE_TOO_LARGE', { size: inMegabytes(limits.fileBytes) });
    }
    const signal = AbortSignal.timeout(timeLimit);
    try {
      return await pool.run({ bytes, limits, origin }, { signal });
    } catch (error) {
      if (signal.aborted) {
        // A thread that never came up would be waited for by all who come after.
        const stuck = pool;
        pool = openPool(options);
        await stuck.destroy();
        return refused(bytes, origin, 'CHECK_TIMED_OUT', { seconds: String(timeLimit / 1000) });
      }
      if (isOutOfMemory(error)) return refused(bytes, origin, 'CHECK_TOO_LARGE');
      throw error;
    }
  }

  return {
    check: (bytes, origin) => oneByOne(() => check(bytes, origin)),
    close: () => pool.destroy(),
  };
}

function openPool({ idleTime = IDLE_TIME, memoryLimit = MEMORY_LIMIT, onLateFailure }: PackageCheckOptions) {
  const pool = new Piscina<CheckTask, CheckedPackage>({
    filename: new URL('check-worker.ts', import.meta.url).href,
    name: 'check',
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: idleTime,
    resourceLimits: memoryLimit,
  });
  // Without a listener the failure of a thread that was given up would end the program.
  pool.on('error', (error) => onLateFailure?.(error));
  return pool;
}

function refused(
  bytes: Uint8Array,
  origin: Origin | undefined,
  code: FindingCode,
  params: Readonly<Record<string, string>> = {},
): CheckedPackage {
  const place = { pointer: origin?.pointer ?? '', ...(origin ? { line: origin.line } : {}) };
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { findings: [finding(code, place, params)], package: null, sha256 };
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
