import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { Agent, request } from 'undici';

/** A like or an install. */
export type Interaction = { path: string; body: string; authorization: string };
export type Load = { origin: string; interactions: Interaction[]; perSecond: number };
/** Milliseconds from the due time of a request to its answer, and the number of answers other than 200. */
export type Answered = { times: number[]; failed: number };

/** Makes the service know all users first, as in reality. */
export async function registerUsers({
  origin,
  interactions,
}: Pick<Load, 'origin' | 'interactions'>): Promise<void> {
  const agent = new Agent({ connections: 20 });
  for (const authorization of new Set(interactions.map(({ authorization }) => authorization))) {
    const answer = await request(`${origin}/api/cmt/manager/verify`, {
      dispatcher: agent,
      headers: { authorization },
    });
    await answer.body.dump();
  }
  await agent.close();
}

/** Sends interactions at a constant rate, independent of the answers, from its own thread. */
export async function send(load: Load): Promise<Answered> {
  const worker = new Worker(new URL(import.meta.url), { workerData: load });
  const [answered] = await once(worker, 'message');
  return answered;
}

async function work({ origin, interactions, perSecond }: Load): Promise<Answered> {
  const agent = new Agent({ connections: 200, keepAliveTimeout: 60_000 });
  const times: number[] = [];
  let failed = 0;
  const started = performance.now();
  const sendOne = async ({ path, body, authorization }: Interaction, due: number) => {
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
  for (const [index, interaction] of interactions.entries()) {
    const due = started + (index * 1000) / perSecond;
    const early = due - performance.now();
    if (early > 0) await sleep(early);
    sent.push(sendOne(interaction, due));
  }
  await Promise.all(sent);
  await agent.close();
  return { times, failed };
}

if (!isMainThread) parentPort?.postMessage(await work(workerData));
