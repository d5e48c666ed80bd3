import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { Agent, request } from 'undici';

/** A use of a plugin by somebody. */
export type Use = { path: string; body: string; authorization: string };
export type Load = { origin: string; uses: Use[]; perSecond: number };
/** Milliseconds from the moment a use was due to its answer, and answers other than 200. */
export type Answered = { times: number[]; failed: number };

/** Has everybody who will use something ask who he is: nobody likes what he has not looked at. */
export async function arrive({ origin, uses }: Pick<Load, 'origin' | 'uses'>): Promise<void> {
  const agent = new Agent({ connections: 20 });
  for (const authorization of new Set(uses.map((use) => use.authorization))) {
    const answer = await request(`${origin}/api/cmt/manager/verify`, {
      dispatcher: agent,
      headers: { authorization },
    });
    await answer.body.dump();
  }
  await agent.close();
}

/** Sends uses at a steady rate, whatever the answers do, from a thread of its own. */
export async function send(load: Load): Promise<Answered> {
  const worker = new Worker(new URL(import.meta.url), { workerData: load });
  const [answered] = await once(worker, 'message');
  return answered;
}

async function work({ origin, uses, perSecond }: Load): Promise<Answered> {
  const agent = new Agent({ connections: 200, keepAliveTimeout: 60_000 });
  const times: number[] = [];
  let failed = 0;
  const started = performance.now();
  const sendOne = async ({ path, body, authorization }: Use, due: number) => {
    const answer = await request(`${origin}/api/cmt/${path}`, {
      dispatcher: agent,
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body,
    });
    await answer.body.dump();
    if (answer.statusCode !== 200) failed += 1;
    times.push(performance.now() - due);
  };
  const sent: Promise<void>[] = [];
  for (const [index, use] of uses.entries()) {
    const due = started + (index * 1000) / perSecond;
    const early = due - performance.now();
    if (early > 0) await sleep(early);
    sent.push(sendOne(use, due));
  }
  await Promise.all(sent);
  await agent.close();
  return { times, failed };
}

if (!isMainThread) parentPort?.postMessage(await work(workerData));
