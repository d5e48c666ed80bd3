import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ViteDevServer } from 'vite';
import { onMessage } from '../workers/worker.ts';
import { Invoke, Ready, SETUP_ARGUMENT, type Setup } from './setup.ts';

const PROGRAM = fileURLToPath(new URL('../main.ts', import.meta.url));
const FOLLOW_LAUNCHER = new URL('../launch/follow-launcher.js', import.meta.url).href;

/** Time for pending requests; a process that stands at a breakpoint does not end by itself. */
const STOP_MS = 1000;

/** The services, in a process that is replaced when their sources change. */
export type Services = {
  /** Waits for the latest start. @returns whether the services accept requests, or false if they have ended */
  ready(): Promise<boolean>;
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

  async function replace(): Promise<void> {
    isQueued = false;
    await end(running);
    if (!isStopped) running = start(options);
  }

  return {
    async ready() {
      for (;;) {
        const latest = replaced;
        await latest;
        const isReady = await running.ready;
        if (latest === replaced) return isReady && running.child.exitCode === null;
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
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await ended;
  clearTimeout(timer);
}
