import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { Piscina } from 'piscina';
import { type FindingCode, finding } from '../../../shared/package/finding-codes.ts';
import { DEFAULT_PACKAGE_LIMITS, inMegabytes, type PackageLimits } from '../../../shared/package/limits.ts';
import type { Origin } from '../../../shared/package/report.ts';
import { limitFairly, type Turn } from '../media/limiter.ts';
import type { CheckedPackage, CheckTask, PackageContent } from './check-worker.ts';

/** Packages checked at a time, each in a thread of its own. */
const LANES = 2;
/** Packages that may wait for their turn: of one user, and of all. */
const WAITING_EACH = 10;
const WAITING = 100;
/** Milliseconds of processor time that one package may take; one of 10 MiB takes about two seconds. */
const WORK_LIMIT = 3000;
/** Milliseconds on the clock: for a thread that never comes up, or a machine that is busy otherwise. */
const TIME_LIMIT = 30_000;
/** Milliseconds between two looks at what a thread has worked. */
const LOOK_EVERY = 100;
/** Milliseconds after which a thread that has nothing to do ends. */
const IDLE_TIME = 10_000;
/** Memory of a thread: several times what a package of 10 MiB needs. */
const MEMORY_LIMIT = { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };

export type PackageCheckOptions = {
  limits?: PackageLimits;
  /** Milliseconds of processor time that one package may take. */
  workLimit?: number;
  /** Milliseconds that one package may take, waiting for its turn not counted. */
  timeLimit?: number;
  memoryLimit?: typeof MEMORY_LIMIT;
  idleTime?: number;
  /** Told of a thread that failed when its package had been answered already. */
  onLateFailure?: (error: unknown) => void;
};

export type CheckCall = Pick<Turn, 'userId' | 'signal'> & {
  /** Where the package lies in the file it came from. */
  origin?: Origin;
};

/** Checks packages away from the thread that answers requests. */
export type PackageCheck = {
  /**
   * A package that takes too long or too much memory is refused by a finding, like any other fault. Aborting ends the
   * check.
   * @throws TOO_MANY_REQUESTS, SERVICE_UNAVAILABLE when too many wait already; the signal's reason
   */
  check(content: PackageContent, call: CheckCall): Promise<CheckedPackage>;
  close(): Promise<void>;
};

/**
 * Opens the check; its threads start with the first packages and end when there are none (design section 7). Whatever
 * one user hands in takes one thread at most, so the other one is there for others.
 */
export function openPackageCheck(options: PackageCheckOptions = {}): PackageCheck {
  const { limits = DEFAULT_PACKAGE_LIMITS } = options;
  const takeTurn = limitFairly({ size: LANES, waiting: WAITING, waitingEach: WAITING_EACH });
  const lanes = Array.from({ length: LANES }, () => openLane(options));
  const free = [...lanes];

  async function check(content: PackageContent, { userId, signal, origin }: CheckCall) {
    const bytes = typeof content === 'string' ? (await stat(content)).size : content.length;
    if (bytes > limits.fileBytes) {
      return refused(content, origin, 'PACKAGE_TOO_LARGE', { size: inMegabytes(limits.fileBytes) });
    }
    return takeTurn({ userId, signal }, async () => {
      const lane = free.pop();
      if (!lane) throw new Error('more turns than threads');
      try {
        return await lane.check({ content, limits, origin }, signal);
      } finally {
        free.push(lane);
      }
    });
  }

  return {
    check,
    close: async () => void (await Promise.all(lanes.map((lane) => lane.close()))),
  };
}

/** A thread that checks one package at a time. */
function openLane(options: PackageCheckOptions) {
  const { workLimit = WORK_LIMIT, timeLimit = TIME_LIMIT } = options;
  let pool = openPool(options);

  async function check(task: CheckTask, gone: AbortSignal | undefined): Promise<CheckedPackage> {
    const worked = new AbortController();
    const late = AbortSignal.timeout(timeLimit);
    const workedSince = stopwatchOf(pool);
    const timer = setInterval(async () => {
      if ((await workedSince()) > workLimit) worked.abort();
    }, LOOK_EVERY);
    const signal = AbortSignal.any([worked.signal, late, ...(gone ? [gone] : [])]);
    try {
      return await pool.run(task, { signal });
    } catch (error) {
      if (signal.aborted) {
        // A thread that never came up would be waited for by all who come after.
        const stuck = pool;
        pool = openPool(options);
        await stuck.destroy();
        gone?.throwIfAborted();
        const limit = worked.signal.aborted ? workLimit : timeLimit;
        return refused(task.content, task.origin, 'CHECK_TIMED_OUT', { seconds: String(limit / 1000) });
      }
      if (isOutOfMemory(error)) return refused(task.content, task.origin, 'CHECK_TOO_LARGE');
      throw error;
    } finally {
      clearInterval(timer);
    }
  }

  return { check, close: () => pool.destroy() };
}

/** Tells what the pool's thread has worked since now, milliseconds. */
function stopwatchOf(pool: Piscina<CheckTask, CheckedPackage>): () => Promise<number> {
  const worked = async (): Promise<number> => {
    // A thread that ends meanwhile has nothing to tell.
    const told = await pool.threads[0]?.cpuUsage().catch(() => undefined);
    return told ? (told.user + told.system) / 1000 : 0;
  };
  const before = worked();
  return async () => (await worked()) - (await before);
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

async function refused(
  content: PackageContent,
  origin: Origin | undefined,
  code: FindingCode,
  params: Readonly<Record<string, string>> = {},
): Promise<CheckedPackage> {
  const place = { pointer: origin?.pointer ?? '', ...(origin ? { line: origin.line } : {}) };
  const bytes = typeof content === 'string' ? await readFile(content) : content;
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { findings: [finding(code, place, params)], package: null, sha256 };
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
