import { setTimeout as delay } from 'node:timers/promises';
import { type SeenRequest, startStub, stubAnswer } from '../../support/stub-upstream.ts';

/** An event as the page's library sends it; profiles have no name. */
export type CollectedEvent = {
  type: string;
  event?: string;
  login_id?: string;
  anonymous_id: string;
  properties: Record<string, unknown>;
};

const TIMEOUT_MS = 15_000;

/** Plays the analytics collector, with what has reached it. */
export async function startCollector(t: { teardown(work: () => Promise<void>): void }) {
  const stub = await startStub(t);
  const requests: SeenRequest[] = [];
  stub.on('POST /sa', (seen) => {
    requests.push(seen);
    return stubAnswer(200, '');
  });
  const events = (): CollectedEvent[] => requests.map(({ body }) => eventOf(body.toString()));
  return {
    /** For COLLECTOR_URL. */
    url: `${stub.url}/sa`,
    requests,
    events,
    forget: () => requests.splice(0),
    /** The first event that is like this, waited for. */
    async arrived(isIt: (event: CollectedEvent) => boolean): Promise<CollectedEvent> {
      for (let waited = 0; waited < TIMEOUT_MS; waited += 50) {
        const found = events().find(isIt);
        if (found) return found;
        await delay(50);
      }
      throw new Error(
        `no such event among ${JSON.stringify(events().map(({ type, event }) => event ?? type))}`,
      );
    },
  };
}

function eventOf(body: string): CollectedEvent {
  const data = new URLSearchParams(body).get('data') ?? '';
  return JSON.parse(Buffer.from(data, 'base64').toString());
}
