import type { FastifyInstance } from 'fastify';
import { loadCatalogue } from '../demo/catalogue.ts';
import type { Db } from '../schema.ts';
import { handInDemo } from './handed-in/hand-in.ts';
import { storePackages } from './packages/store-packages.ts';
import { type Painter, paintDemo } from './paint/paint.ts';
import { type DemoState, readDemoState, releaseDemoLock, tryDemoLock, writeDemoState } from './store.ts';

/** Finishes the demo catalogue once the app listens, and stops after the file at hand on close. */
export function finishDemoLater(app: FastifyInstance, painter: Painter): void {
  const stop = new AbortController();
  let finishing: Promise<void> | undefined;
  app.addHook('onListen', async () => {
    finishing = finishDemo(painter, stop.signal).catch((error) =>
      painter.log.error({ err: error }, 'the demo catalogue could not be finished'),
    );
  });
  app.addHook('onClose', async () => {
    stop.abort();
    await finishing;
  });
}

/**
 * Makes what a demo catalogue lacks beside its rows: pictures, packages, and what waits for review. May be stopped, or
 * killed, at any point: the next call goes on where this one ended. One instance at a time.
 */
export async function finishDemo(painter: Painter, signal: AbortSignal): Promise<void> {
  if (!isUnfinished(await readDemoState(painter.db))) return;
  await painter.db.connection().execute(async (connection) => {
    if (!(await tryDemoLock(connection))) return;
    try {
      await finish(painter, connection, signal);
    } finally {
      await releaseDemoLock(connection);
    }
  });
}

function isUnfinished(state: DemoState | undefined): boolean {
  return state === 'rows' || state === 'pictures';
}

async function finish(painter: Painter, db: Db, signal: AbortSignal): Promise<void> {
  const state = await readDemoState(db);
  if (!isUnfinished(state)) return;
  const catalogue = loadCatalogue();
  if (state === 'rows') {
    await paintDemo(painter, catalogue, signal);
    if (signal.aborted) return;
    await writeDemoState(db, 'pictures');
  }
  await storePackages(painter, catalogue.plugins, signal);
  await handInDemo(painter, catalogue, signal);
  if (!signal.aborted) await writeDemoState(db, 'complete');
}
