import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { boundedMap } from '../../memory/bounded-map.ts';
import { type ClientAddress, createClientAddress } from '../limits/client-address.ts';
import { createKnownCalls, type KnownCalls } from '../limits/known-calls.ts';
import { isCall } from '../limits/limit-requests.ts';
import type { WriteLine } from '../request-log.ts';
import { type RequestRecord, recordOf } from '../request-record.ts';
import { traceparentOf } from '../trace.ts';
import { type Encoding, isFresh, isNotModified, readyText, type SharedAnswer } from './shared-answer.ts';
import { type Words, wordsOf } from './words.ts';

/** Which store of kept answers one comes from. */
export type CacheName = 'answers' | 'pages' | 'crawlers';

export type AtOnce = {
  /** Gives the kept answer to who says what somebody has said before. False: the request goes its usual way. */
  give(request: IncomingMessage, response: ServerResponse): boolean;
  /** From now on the same words get this answer, for as long as it is fresh, with the headers of this reply. */
  remember(request: FastifyRequest, reply: FastifyReply, given: Given): void;
};

export type Given = { answer: SharedAnswer; encoding: Encoding | undefined; cache: CacheName };

type Remembered = {
  /** Not held here: how much is kept is the store's business. */
  answer: WeakRef<SharedAnswer>;
  encoding: Encoding | undefined;
  cache: CacheName;
  route: string;
  isCall: boolean;
  csrf: RequestRecord['csrf'];
  /** Names and values in turn but for the body's length, the name of the request's id last. */
  head: string[];
  /** As `head`, for 304. */
  shortHead: string[];
};

type Parts = {
  now: () => number;
  onTake: (cache: CacheName, outcome: 'hit') => void;
  /** Counts a call of this client; false: it has to be asked whether it may. */
  mayCall: (request: IncomingMessage) => boolean;
  /** Whether a request counts as a call. */
  isCall: (request: FastifyRequest) => boolean;
  writeLine: WriteLine;
};

declare module 'fastify' {
  interface FastifyInstance {
    atOnce: AtOnce;
    calls: KnownCalls;
    addressOf: ClientAddress;
  }
}

export const atOnce = fp(
  async (app: FastifyInstance) => {
    const { config, now } = app.gateway;
    const addressOf = createClientAddress(config.trustProxy);
    const calls = createKnownCalls({
      count: app.shared.count,
      factor: config.rateLimitFactor,
      addressOf,
      now,
    });
    app.decorate('addressOf', addressOf);
    app.decorate('calls', calls);
    app.decorate(
      'atOnce',
      createAtOnce({
        now,
        onTake: app.metrics.countCache,
        mayCall: calls.mayCall,
        isCall,
        writeLine: app.writeLine,
      }),
    );
  },
  { name: 'at-once', dependencies: ['gateway', 'metrics', 'request-log', 'shared'] },
);

/** Bytes of words and heads that are remembered. */
const REMEMBERED_BYTES = 4 * 1024 * 1024;

/** Belong to the one answer, or to its body. */
const OWN: ReadonlySet<string> = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'x-request-id',
]);

/**
 * Kept answers before anything else is done for a request. Everything that decides about a request without a session
 * follows from its words; so who says the same as somebody who has just been given a kept answer is given it too: the
 * same checks, the same language, the same headers. What does not follow from the words is looked at each time: whether
 * the answer is fresh, whether the browser has it, and how often this client has called.
 */
export function createAtOnce(parts: Parts): AtOnce {
  const { now, onTake, mayCall, isCall, writeLine } = parts;
  const remembered = boundedMap<Remembered>({
    limit: REMEMBERED_BYTES,
    weigh: ({ head }, text) => 2 * (text.length + head.join('').length) + 500,
  });

  function send(
    request: IncomingMessage,
    response: ServerResponse,
    found: Remembered,
    words: Words,
  ): boolean {
    const answer = found.answer.deref();
    const text = answer && isFresh(answer, now()) ? readyText(answer, found.encoding) : undefined;
    if (!answer || text === undefined) return false;
    if (found.isCall && !mayCall(request)) return false;
    onTake(found.cache, 'hit');
    const id = randomUUID();
    const record: RequestRecord = { started: performance.now() };
    if (found.csrf !== undefined) record.csrf = found.csrf;
    const { socket } = request;
    response.on('close', () => {
      const traceparent = traceparentOf({ id, headers: { traceparent: words.traceparent } });
      writeLine({ id, traceparent, method: 'GET', route: found.route, socket, response, record });
    });
    if (isNotModified(answer, words.ifNoneMatch)) response.writeHead(304, [...found.shortHead, id]).end();
    else {
      const length = String(text.length);
      response.writeHead(200, [...found.head, id, 'content-length', length]).end(text, 'latin1');
    }
    return true;
  }

  return {
    give(request, response) {
      const words = wordsOf(request);
      const found = words && remembered.get(words.text);
      return words !== undefined && found !== undefined && send(request, response, found, words);
    },
    remember(request, reply, { answer, encoding, cache }) {
      const words = wordsOf(request.raw);
      const isReady = readyText(answer, encoding) !== undefined;
      if (!words || !isReady || !isFresh(answer, now()) || !isPlain(request, reply)) return;
      const shared = Object.entries(reply.getHeaders())
        .filter(([name]) => !OWN.has(name))
        .flatMap(([name, value]) => [name, String(value)]);
      const content = ['content-type', answer.contentType];
      const encoded = encoding ? ['content-encoding', encoding] : [];
      remembered.set(words.text, {
        answer: new WeakRef(answer),
        encoding,
        cache,
        route: request.routeOptions.url ?? 'none',
        isCall: isCall(request),
        csrf: recordOf(request).csrf,
        head: [...shared, ...content, ...encoded, 'x-request-id'],
        shortHead: [...shared, 'x-request-id'],
      });
    },
  };
}

/** Whether nothing but the words decides about this request, and nothing in the reply is for one client alone. */
function isPlain({ headers, routeOptions }: FastifyRequest, reply: FastifyReply): boolean {
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  const hasOwnLimit = routeOptions.config.route?.rateLimit !== undefined;
  return !hasBody && !hasOwnLimit && !reply.hasHeader('set-cookie');
}
