import { flushCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Milliseconds after the start, when the first requests, which load their pages, have been answered. */
const TRIM_AFTER_MS = 2000;

/** What V8 collects by, when asked for everything that can be had (`gc` of `--expose-gc`). */
type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void;

/**
 * Once after the start: keeps the compiled modules for the next start, where there is a folder for them
 * (NODE_COMPILE_CACHE), and gives back what the start alone took, which V8 would hold on to for as long as nothing
 * presses it (70 MB of an idle gateway's 200).
 */
export function trimHeapAfterStart({ after = TRIM_AFTER_MS } = {}): void {
  const trim = (): void => {
    flushCompileCache();
    collectEverything();
  };
  setTimeout(trim, after).unref();
}

/**
 * Collects what is not needed and gives free memory back to the system. Everything waits meanwhile, about 0.1 s: not
 * for use while a program works.
 */
export function collectEverything(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  if (isCollect(collect)) collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

function isCollect(value: unknown): value is Collect {
  return typeof value === 'function';
}
