import { createServer } from 'node:http';
import { portOf } from './port.ts';

/** A span in OTLP/HTTP with JSON. */
export type ReceivedSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: Record<string, unknown> }[];
};

export type OtlpReceiver = {
  endpoint: string;
  spans(): ReceivedSpan[];
  /** Everything that was received, unchanged. */
  text(): string;
  serviceNames(): unknown[];
};

type Export = {
  resourceSpans: {
    resource: { attributes: ReceivedSpan['attributes'] };
    scopeSpans: { spans: ReceivedSpan[] }[];
  }[];
};

/** A collector that stores received spans (OTLP 1, POST /v1/traces, JSON). */
export async function startOtlpReceiver(t: {
  teardown(work: () => Promise<void>): void;
}): Promise<OtlpReceiver> {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks = await request.toArray();
    const isExport = request.method === 'POST' && request.url === '/v1/traces';
    if (isExport) bodies.push(Buffer.concat(chunks).toString('utf8'));
    response.writeHead(isExport ? 200 : 404, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(async () => {
    server.closeAllConnections();
    server.close();
  });
  const received = () => bodies.flatMap((body): Export['resourceSpans'] => JSON.parse(body).resourceSpans);
  return {
    endpoint: `http://127.0.0.1:${portOf(server)}`,
    spans: () => received().flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    text: () => bodies.join('\n'),
    serviceNames: () =>
      received().map(
        ({ resource }) => resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue,
      ),
  };
}
