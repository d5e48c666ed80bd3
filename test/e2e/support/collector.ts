import { type SeenRequest, startStub, stubAnswer } from '../../support/stub-upstream.ts';
import { until } from '../../support/until.ts';

/** An event as the library sends it; profile events have no name. */
export type CollectedEvent = {
  type: string;
  event?: string;
  login_id?: string;
  anonymous_id: string;
  properties: Record<string, unknown>;
};

export type Collector = Awaited<ReturnType<typeof startCollector>>;

/** A fake analytics collector that stores its requests. */
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
    /** Waits for the first matching event. */
    arrived: (isIt: (event: CollectedEvent) => boolean): Promise<CollectedEvent> =>
      until(() => events().find(isIt)),
  };
}

function eventOf(body: string): CollectedEvent {
  const data = new URLSearchParams(body).get('data') ?? '';
  return JSON.parse(Buffer.from(data, 'base64').toString());
}
