import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { type FindingCode, finding } from '../../../../shared/package/finding-codes.ts';
import {
  DEFAULT_PACKAGE_LIMITS,
  inMegabytes,
  type PackageLimits,
} from '../../../../shared/package/package.ts';
import type { Origin } from '../../../../shared/package/report.ts';
import { perUserQueue, type Turn } from '../../files/media/limiter.ts';
import { openThread, type ThreadOptions } from '../../files/media/thread.ts';
import type { CheckedPackage, CheckTask, PackageContent } from './check-worker.ts';

/** Packages up to this size, bytes, have a thread of their own, since none of them takes long. */
const SMALL = 1024 * 1024;
/** Packages that may wait for each thread: of one user, and of all users. */
const WAITING_EACH = 20;
const WAITING = 100;
/**
 * Milliseconds of processor time that one package may take. One of 1 MiB takes about 200, one of 10 MiB about 2,000; a
 * slow machine needs several times that.
 */
const SMALL_WORK_LIMIT = 3000;
const LARGE_WORK_LIMIT = 10_000;
/** Memory limit of a thread: several times what a package of 10 MiB needs. */
const MEMORY_LIMIT = { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };

export type PackageCheckOptions = Partial<Omit<ThreadOptions, 'module' | 'task'>> & {
  limits?: PackageLimits;
  /** Ids of the design tools that packages may name; any by default. */
  hosts?: readonly string[] | undefined;
};

export type CheckCall = Pick<Turn, 'signal'> & {
  /** The user who uploads the package. */
  userId: number;
  /** Place of the package in its file. */
  origin?: Origin;
};

/** Checks packages in worker threads. */
export type PackageCheck = {
  /**
   * A package that takes too long or too much memory is refused by a finding, like any other error. Aborting ends the check.
   * @throws TOO_MANY_REQUESTS, SERVICE_UNAVAILABLE when too many packages wait; the signal's reason
   */
  check(content: PackageContent, call: CheckCall): Promise<CheckedPackage>;
  close(): Promise<void>;
};

/**
 * Creates the check (R 6.14): a thread for small packages and one for large ones. Users take turns, one package of
 * a user at a time, so that neither many packages of one user nor large packages delay small ones.
 */
export function openPackageCheck(options: PackageCheckOptions = {}): PackageCheck {
  const { limits = DEFAULT_PACKAGE_LIMITS, hosts, ...given } = options;
  const small = openLane({ workLimit: SMALL_WORK_LIMIT, ...given });
  const large = openLane({ workLimit: LARGE_WORK_LIMIT, ...given });
  return {
    async check(content, { userId, signal, origin }) {
      const task = { content, limits, hosts, origin };
      const bytes = typeof content === 'string' ? (await stat(content)).size : content.length;
      if (bytes > limits.fileBytes) {
        return refused(task, 'PACKAGE_TOO_LARGE', { size: inMegabytes(limits.fileBytes) });
      }
      return (bytes <= SMALL ? small : large).check(task, { userId, signal });
    },
    close: async () => void (await Promise.all([small.close(), large.close()])),
  };
}

/** A thread with its queue. */
function openLane(options: Omit<ThreadOptions, 'module' | 'task' | 'memoryLimit'>) {
  const runLimited = perUserQueue({ size: 1, waiting: WAITING, waitingEach: WAITING_EACH });
  let script: unknown;
  const thread = openThread<CheckTask, CheckedPackage>({
    memoryLimit: MEMORY_LIMIT,
    ...options,
    module: new URL('check-worker.ts', import.meta.url),
    task: 'check',
    onMessage: (message) => {
      script = message;
    },
  });

  async function check(task: CheckTask, turn: Turn): Promise<CheckedPackage> {
    return runLimited(turn, async () => {
      script = undefined;
      const worked = await thread.run(task, turn.signal);
      if ('answer' in worked) return worked.answer;
      if (worked.limit === 'memory') return refused(task, 'CHECK_TOO_LARGE');
      // All but parsing takes little time.
      return typeof script === 'string'
        ? refused(task, 'CODE_TOO_COMPLEX', { file: script })
        : refused(task, 'CHECK_TIMED_OUT', { seconds: String(worked.seconds) });
    });
  }

  return { check, close: () => thread.close() };
}

async function refused(
  { content, origin }: CheckTask,
  code: FindingCode,
  params: Readonly<Record<string, string>> = {},
): Promise<CheckedPackage> {
  const place = {
    pointer: origin?.pointer ?? '',
    ...(origin && { line: origin.line }),
    ...(params.file !== undefined && { file: params.file }),
  };
  const bytes = typeof content === 'string' ? await readFile(content) : content;
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { findings: [finding(code, place, params)], package: null, sha256, release: null };
}
