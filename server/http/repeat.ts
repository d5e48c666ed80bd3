import type { FastifyInstance } from 'fastify';

/**
 * Does some work while the app listens, again after as many milliseconds as it answers; closing waits for what is under
 * way. The work catches what it throws.
 * @param first milliseconds before the first time
 */
export function repeatWhileListening(
  app: FastifyInstance,
  work: (isClosed: () => boolean) => Promise<number>,
  first = 0,
): void {
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  const run = async (): Promise<void> => {
    const wait = await work(() => isClosed);
    if (!isClosed) startAfter(wait);
  };
  const startAfter = (wait: number): void => {
    timer = setTimeout(() => {
      running = run();
    }, wait).unref();
  };
  app.addHook('onListen', async () => startAfter(first));
  app.addHook('onClose', async () => {
    isClosed = true;
    clearTimeout(timer);
    await running;
  });
}
