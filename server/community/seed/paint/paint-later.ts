import type { FastifyInstance } from 'fastify';
import { type Painter, paintDemo } from './paint.ts';

/** Makes the pictures of the demo catalogue once the app listens, and stops after the picture at hand on close. */
export function paintDemoLater(app: FastifyInstance, painter: Painter): void {
  const stop = new AbortController();
  let painting: Promise<void> | undefined;
  app.addHook('onListen', async () => {
    painting = paintDemo(painter, stop.signal).catch((error) =>
      painter.log.error({ err: error }, 'the pictures of the demo catalogue could not be made'),
    );
  });
  app.addHook('onClose', async () => {
    stop.abort();
    await painting;
  });
}
