import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { finished } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ViteDevServer } from 'vite';
import { onMessage } from '../workers/worker.ts';
import { Invoke, Ready, SETUP_ARGUMENT, type Setup } from './setup.ts';

const PROGRAM = fileURLToPath(new URL('../main.ts', import.meta.url));
const FOLLOW_LAUNCHER = new URL('../launch/follow-launcher.js', import.meta.url).href;

/** Time for pending requests, and then for the process: at a breakpoint neither ends by itself. */
const STOP_MS = 1000;

/** The services, in a process that is replaced when their sources change. */
export type Services = {
  /**
   * Waits for the latest start. The services are not replaced before `request` is over.
   * @returns whether the services accept requests, or false if they have ended
   */
  acquire(request: ServerResponse): Promise<boolean>;
  restart(): void;
  /** Ends the services for good. */
  stop(): Promise<void>;
};

type Running = { child: ChildProcess; ended: Promise<unknown>; ready: Promise<boolean> };

/**
 * Runs the services.
 *
 * @param nodeArguments for their process, such as `--inspect`
 */
export function runServices(options: {
  setup: Setup;
  vite: Pick<ViteDevServer, 'environments'>;
  nodeArguments: readonly string[];
}): Services {
  let running = start(options);
  let isStopped = false;
  let isQueued = false;
  let replaced = Promise.resolve();
  const pending = new Set<Promise<unknown>>();

  async function replace(): Promise<void> {
    isQueued = false;
    // A request that the process receives while it closes its connections would fail.
    await Promise.race([Promise.all(pending), setTimeout(STOP_MS, undefined, { ref: false })]);
    await end(running);
    if (!isStopped) running = start(options);
  }

  return {
    async acquire(request) {
      for (;;) {
        const latest = replaced;
        await latest;
        const isReady = await running.ready;
        if (latest !== replaced) continue;
        if (!isReady || !running.child.connected) return false;
        const over = finished(request).catch(() => undefined);
        pending.add(over);
        void over.then(() => pending.delete(over));
        return true;
      }
    },
    restart() {
      if (isQueued) return;
      isQueued = true;
      replaced = replaced.then(replace);
    },
    async stop() {
      isStopped = true;
      await replaced;
      await end(running);
    },
  };
}

function start({ setup, vite, nodeArguments }: Parameters<typeof runServices>[0]): Running {
  const child = fork(PROGRAM, [SETUP_ARGUMENT + JSON.stringify(setup)], {
    execArgv: ['--import', FOLLOW_LAUNCHER, ...nodeArguments],
  });
  const ended = once(child, 'exit');
  const { promise: ready, resolve } = Promise.withResolvers<boolean>();
  onMessage(child, Ready, () => resolve(true));
  void ended.then(() => resolve(false));
  onMessage(child, Invoke, async ({ invoke, payload }) => {
    const response = await vite.environments.ssr.hot.handleInvoke(payload);
    // Without the callback, Node would emit an 'error' for a process that has ended.
    child.send({ invoked: invoke, response }, () => undefined);
  });
  return { child, ended, ready };
}

async function end({ child, ended }: Running): Promise<void> {
  child.kill('SIGTERM');
  const isOver = await Promise.race([ended, setTimeout(STOP_MS, undefined, { ref: false })]);
  if (isOver === undefined) child.kill('SIGKILL');
  await ended;
}
