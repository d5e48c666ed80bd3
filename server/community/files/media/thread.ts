import type { Worker } from 'node:worker_threads';
import { Piscina } from 'piscina';

/** Milliseconds of real time, for a thread that never starts or a busy machine. */
const TIME_LIMIT = 30_000;
/** Milliseconds between two measurements of the CPU time of a thread. */
const MEASURE_INTERVAL = 100;
/** Milliseconds after which an idle thread ends. */
const IDLE_TIME = 10_000;

export type ThreadOptions = {
  /** The module that exports the task. */
  module: URL;
  /** Name of the exported function. */
  task: string;
  /** Milliseconds of CPU time for one task. */
  workLimit: number;
  /** Milliseconds of real time for one task. */
  timeLimit?: number | undefined;
  memoryLimit: { maxOldGenerationSizeMb: number; maxYoungGenerationSizeMb: number; stackSizeMb: number };
  idleTime?: number | undefined;
  /** Milliseconds of CPU time that a thread has taken; measured by default. */
  cpuTimeOf?: ((thread: Worker) => Promise<number>) | undefined;
  /** Called with what a thread posts while it works. */
  onMessage?: ((message: unknown) => void) | undefined;
  /** Called when a thread fails after its task was abandoned. */
  onLateFailure?: ((error: unknown) => void) | undefined;
};

/** The result of a task, or the limit that it exceeded. */
type Worked<Answer> = { answer: Answer } | { limit: 'memory' } | { limit: 'time'; seconds: number };

/** A worker thread that starts with the first task and ends when it is idle. */
type Thread<Task, Answer> = {
  /**
   * Runs one task. A task that exceeds a limit is abandoned with its thread, and the next one gets a new thread.
   * @param limit milliseconds of CPU time, if it is not that of all tasks
   * @throws the error of the task; the signal's reason
   */
  run(task: Task, signal?: AbortSignal, limit?: number): Promise<Worked<Answer>>;
  close(): Promise<void>;
};

export function openThread<Task, Answer>(options: ThreadOptions): Thread<Task, Answer> {
  const { workLimit, timeLimit = TIME_LIMIT, cpuTimeOf = measureCpuTime } = options;
  let pool = openPool<Task, Answer>(options);

  async function run(task: Task, signal?: AbortSignal, limit = workLimit): Promise<Worked<Answer>> {
    const worked = new AbortController();
    const workedSince = stopwatchOf(pool, cpuTimeOf);
    const timer = setInterval(async () => {
      if ((await workedSince()) > limit) worked.abort();
    }, MEASURE_INTERVAL);
    const late = AbortSignal.timeout(timeLimit);
    const ending = AbortSignal.any([worked.signal, late, ...(signal ? [signal] : [])]);
    try {
      return { answer: await pool.run(task, { signal: ending }) };
    } catch (error) {
      if (isOutOfMemory(error)) return { limit: 'memory' };
      if (!ending.aborted) throw error;
      // All later tasks would wait for a thread that never starts.
      const stuck = pool;
      pool = openPool(options);
      await stuck.destroy();
      signal?.throwIfAborted();
      return { limit: 'time', seconds: (worked.signal.aborted ? limit : timeLimit) / 1000 };
    } finally {
      clearInterval(timer);
    }
  }

  return { run, close: () => pool.destroy() };
}

async function measureCpuTime(thread: Worker): Promise<number> {
  const { user, system } = await thread.cpuUsage();
  return (user + system) / 1000;
}

/** Measures the CPU time of the pool's thread from now on, in milliseconds. */
function stopwatchOf<Task, Answer>(
  pool: Piscina<Task, Answer>,
  cpuTimeOf: (thread: Worker) => Promise<number>,
): () => Promise<number> {
  const worked = async (): Promise<number> => {
    const [thread] = pool.threads;
    // A thread that ends meanwhile has no CPU usage.
    return thread ? cpuTimeOf(thread).catch(() => 0) : 0;
  };
  const before = worked();
  return async () => (await worked()) - (await before);
}

function openPool<Task, Answer>({
  module,
  task,
  idleTime,
  memoryLimit,
  onMessage,
  onLateFailure,
}: ThreadOptions) {
  const pool = new Piscina<Task, Answer>({
    filename: module.href,
    name: task,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: idleTime ?? IDLE_TIME,
    resourceLimits: memoryLimit,
  });
  pool.on('message', (message) => onMessage?.(message));
  // Without a listener, an error of an abandoned thread would end the process.
  pool.on('error', (error) => onLateFailure?.(error));
  return pool;
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
