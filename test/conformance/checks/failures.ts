import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { send } from '../../support/browser.ts';
import { selfSigned } from '../../support/certificate.ts';
import { portOf } from '../../support/port.ts';
import { stubAnswer } from '../../support/stub-upstream.ts';
import { until } from '../../support/until.ts';
import type { Check } from '../check.ts';
import { ARTICLE, holds, LIST, same } from '../expect.ts';

const OPTIONS = '/user/page/options';
/** A gateway that has not given up by then waits for ever. */
const PATIENCE_MS = 30_000;

/** Services that are slow, down or not authentic. */
export const failureChecks: readonly Check[] = [
  {
    id: 'R 10.9',
    title:
      'an unreachable service is 502, a slow one 504 (10 s user service, more for community), with a generic body',
    async run(context) {
      const { upstream, identity } = context;
      identity.on(`GET ${OPTIONS}`, () => new Promise(() => undefined));
      const given = Promise.withResolvers<void>();
      upstream.on(`GET ${ARTICLE}`, async () => {
        await given.promise;
        return {};
      });
      // A refused one is a failed check, also if the check has failed before it is awaited.
      const patient = context.call(ARTICLE).catch(() => undefined);
      await until(() => upstream.seen(`GET ${ARTICLE}`).length > 0);
      const signal = AbortSignal.timeout(PATIENCE_MS);
      const slow = await context.call(OPTIONS, { signal }).catch(() => undefined);
      same(slow?.status, 504, 'a user service that hangs');
      given.resolve();
      same((await patient)?.status, 200, 'a community that takes longer');
      await upstream.stop();
      for (const path of [ARTICLE, LIST]) {
        const down = await context.call(path);
        same(down.status, 502, `${path} while the service is down`);
        const text = down.text + JSON.stringify(down.headers);
        holds(!text.includes(String(upstream.port)), 'the address of a service is in the response');
        holds(!/ECONN|undici|fetch failed|at .*\(/i.test(text), 'a system error is in the response');
      }
    },
  },
  {
    id: 'R 10.10',
    title: 'only a GET without a response is retried, once',
    async run(context) {
      const { upstream } = context;
      for (const [method, attempts] of [
        ['GET', 2],
        ['POST', 1],
        ['PUT', 1],
        ['DELETE', 1],
      ] as const) {
        upstream.on(`${method} ${ARTICLE}`, (_seen, response) => void response.destroy());
        same((await context.call(ARTICLE, { method })).status, 502, `${method} without an answer`);
        same(upstream.seen(`${method} ${ARTICLE}`).length, attempts, `attempts of ${method}`);
      }
      upstream.on(`GET ${ARTICLE}`, (_seen, response) =>
        upstream.seen(`GET ${ARTICLE}`).length % 2 === 1 ? void response.destroy() : {},
      );
      same((await context.call(ARTICLE)).status, 200, 'a GET whose second attempt succeeds');
      for (const status of [500, 502, 503, 504, 429]) {
        upstream.requests.length = 0;
        upstream.on(`GET ${ARTICLE}`, () => stubAnswer(status, { code: 1 }, { 'retry-after': '1' }));
        const answer = await context.call(ARTICLE);
        same([answer.status, answer.headers['retry-after']], [status, '1'], `an answer ${status}`);
        same(upstream.requests.length, 1, `attempts after an answer ${status}`);
      }
    },
  },
  {
    id: 'R 10.11',
    title: 'TLS of services is verified; a private CA can be added',
    async run(context) {
      const { cert, key } = selfSigned();
      let asked = 0;
      const server = createServer({ cert, key }, (_request, response) => {
        asked += 1;
        response.end('{}');
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const folder = await mkdtemp(join(tmpdir(), 'conformance-'));
      const upstream = `https://127.0.0.1:${portOf(server)}`;
      const statusWith = async (settings: Record<string, string>): Promise<number> => {
        const target = await context.start({ upstream, settings });
        return (await send(target.url, ARTICLE, { headers: context.dialect.headers })).status;
      };
      try {
        const [known, other] = [join(folder, 'ca.pem'), join(folder, 'other.pem')];
        await writeFile(known, cert);
        await writeFile(other, selfSigned().cert);
        same(await statusWith({}), 502, 'a stranger');
        same(await statusWith({ UPSTREAM_CA: other }), 502, 'a stranger, with another CA');
        same(asked, 0, 'requests to an unverified server');
        same(await statusWith({ UPSTREAM_CA: known }), 200, 'a known one');
      } finally {
        server.closeAllConnections();
        server.close();
        await rm(folder, { recursive: true });
      }
    },
  },
];
