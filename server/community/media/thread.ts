import { Piscina } from 'piscina';

/** Milliseconds on the clock: for a thread that never comes up, or a machine that is busy otherwise. */
const TIME_LIMIT = 30_000;
/** Milliseconds between two looks at what a thread has worked. */
const LOOK_EVERY = 100;
/** Milliseconds after which a thread that has nothing to do ends. */
const IDLE_TIME = 10_000;

export type ThreadOptions = {
  /** The module it runs, whose default is one of its exports. */
  module: URL;
  /** The export that does the work. */
  task: string;
  /** Milliseconds of processor time that one piece of work may take. */
  workLimit: number;
  /** Milliseconds on the clock that it may take. */
  timeLimit?: number | undefined;
  memoryLimit: { maxOldGenerationSizeMb: number; maxYoungGenerationSizeMb: number; stackSizeMb: number };
  idleTime?: number | undefined;
  /** Told of a thread that failed when its work had been given up already. */
  onLateFailure?: ((error: unknown) => void) | undefined;
};

/** What came of a piece of work: its answer, or the limit it met. */
type Worked<Answer> = { answer: Answer } | { limit: 'memory' } | { limit: 'time'; seconds: number };

/** A thread beside the one that answers requests; it starts with the first work and ends when there is none. */
type Thread<Task, Answer> = {
  /**
   * Does one piece of work; what meets a limit is given up together with the thread, and the next one has another.
   * @throws what the work throws; the signal's reason
   */
  run(task: Task, gone?: AbortSignal): Promise<Worked<Answer>>;
  close(): Promise<void>;
};

export function openThread<Task, Answer>(options: ThreadOptions): Thread<Task, Answer> {
  const { workLimit, timeLimit = TIME_LIMIT } = options;
  let pool = openPool<Task, Answer>(options);

  async function run(task: Task, gone?: AbortSignal): Promise<Worked<Answer>> {
    const worked = new AbortController();
    const workedSince = stopwatchOf(pool);
    const timer = setInterval(async () => {
      if ((await workedSince()) > workLimit) worked.abort();
    }, LOOK_EVERY);
    const late = AbortSignal.timeout(timeLimit);
    const signal = AbortSignal.any([worked.signal, late, ...(gone ? [gone] : [])]);
    try {
      return { answer: await pool.run(task, { signal }) };
    } catch (error) {
      if (isOutOfMemory(error)) return { limit: 'memory' };
      if (!signal.aborted) throw error;
      // A thread that never came up would be waited for by all who come after.
      const stuck = pool;
      pool = openPool(options);
      await stuck.destroy();
      gone?.throwIfAborted();
      return { limit: 'time', seconds: (worked.signal.aborted ? workLimit : timeLimit) / 1000 };
    } finally {
      clearInterval(timer);
    }
  }

  return { run, close: () => pool.destroy() };
}

/** Tells what the pool's thread has worked since now, milliseconds. */
function stopwatchOf<Task, Answer>(pool: Piscina<Task, Answer>): () => Promise<number> {
  const worked = async (): Promise<number> => {
    // A thread that ends meanwhile has nothing to tell.
    const told = await pool.threads[0]?.cpuUsage().catch(() => undefined);
    return told ? (told.user + told.system) / 1000 : 0;
  };
  const before = worked();
  return async () => (await worked()) - (await before);
}

function openPool<Task, Answer>({ module, task, idleTime, memoryLimit, onLateFailure }: ThreadOptions) {
  const pool = new Piscina<Task, Answer>({
    filename: module.href,
    name: task,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: idleTime ?? IDLE_TIME,
    resourceLimits: memoryLimit,
  });
  // Without a listener the failure of a thread that was given up would end the program.
  pool.on('error', (error) => onLateFailure?.(error));
  return pool;
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
