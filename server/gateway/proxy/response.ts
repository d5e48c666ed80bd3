import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { appError } from '../../http/errors.ts';
import { ANSWER_BYTES, upstreamError } from '../upstream/ask.ts';
import type { TokenMask } from './token-mask.ts';

export type UpstreamHeaders = Dispatcher.ResponseData['headers'];

/** A response as @fastify/reply-from hands it on. */
export type ProxyResponse = {
  statusCode: number;
  headers: Record<string, string>;
  body: Buffer | Readable | null;
};

export type Handlers = {
  /** Given the way to end the request, before its head is sent. */
  onStart: (abort: () => void) => void;
  /** Headers for the client and what the body passes through; undefined: nobody wants this response. May throw. */
  onHead: (
    status: number,
    headers: UpstreamHeaders,
  ) => { headers: Record<string, string>; mask: TokenMask | undefined } | undefined;
  /** Makes the client's body of one that is read whole first. */
  rewrite: ((body: Buffer, headers: UpstreamHeaders) => Buffer) | undefined;
  /** Called once, when the upstream has nothing more to do with this; `error`: why it has not sent everything. */
  onEnd: (error?: unknown) => void;
};

/** Bytes up to which a body that comes in one piece is handed on as a buffer, which costs the least. */
const ONE_PIECE = 16 * 1024;

const NO_LONGER_WANTED = new Error('no longer wanted');
const TOO_LARGE = new Error('answer too large');

/**
 * Sends a request and gives its response back as soon as there is a head; a body goes at the pace of its reader, and whoever
 * destroys it ends the request. Undefined when `onHead` does not want it.
 * @throws AppError UPSTREAM_* when no head came, or what `onHead` throws
 */
export function responseTo(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  { onStart, onHead, rewrite, onEnd }: Handlers,
): Promise<ProxyResponse | undefined> {
  return new Promise((resolve, reject) => {
    let statusCode = 0;
    let received: UpstreamHeaders = {};
    let head: ReturnType<typeof onHead>;
    let length = -1;
    let whole: Buffer | undefined;
    let stream: Readable | undefined;
    const chunks: Buffer[] = [];
    let size = 0;

    const respond = (body: ProxyResponse['body'], own?: Record<string, string>): void =>
      resolve({ statusCode, headers: { ...head?.headers, ...own }, body });
    const openStream = (controller: Dispatcher.DispatchController): Readable => {
      const body = new Readable({
        read: () => controller.resume(),
        destroy: (error, done) => {
          controller.abort(error ?? NO_LONGER_WANTED);
          done(error);
        },
      });
      // Its reader is told as well; an error event that nobody listens to would end the process.
      body.on('error', () => undefined);
      respond(body);
      return body;
    };
    const hasNoBody = (): boolean => options.method === 'HEAD' || statusCode === 204 || statusCode === 304;

    dispatcher.dispatch(options, {
      onRequestStart: (controller) => onStart(() => controller.abort(NO_LONGER_WANTED)),
      onResponseStart(controller, status, headers) {
        if (status < 200) return;
        statusCode = status;
        received = headers;
        try {
          head = onHead(status, headers);
        } catch (error) {
          controller.abort(upstreamError(error));
          return;
        }
        if (!head) {
          resolve(undefined);
          controller.abort(NO_LONGER_WANTED);
          return;
        }
        length = Number(headers['content-length']);
        // Fastify names a type for a buffer that has none.
        const mayBeWhole = length <= ONE_PIECE && headers['content-type'] !== undefined;
        if (!rewrite && !mayBeWhole && !hasNoBody()) stream = openStream(controller);
      },
      onResponseData(controller, chunk) {
        if (rewrite) {
          chunks.push(chunk);
          size += chunk.length;
          if (size > ANSWER_BYTES) controller.abort(appError('UPSTREAM_INVALID', { cause: TOO_LARGE }));
        } else if (!stream && chunk.length === length) {
          whole = head?.mask?.whole(chunk) ?? chunk;
        } else {
          stream ??= openStream(controller);
          if (!stream.push(head?.mask?.push(chunk) ?? chunk)) controller.pause();
        }
      },
      onResponseEnd() {
        onEnd();
        if (stream) {
          stream.push(head?.mask?.end() ?? null);
          stream.push(null);
        } else if (rewrite && !hasNoBody()) {
          try {
            const body = rewrite(Buffer.concat(chunks), received);
            respond(head?.mask?.whole(body) ?? body, { 'content-length': String(body.length) });
          } catch (error) {
            reject(error);
          }
        } else respond(whole ?? null);
      },
      onResponseError(_controller, error) {
        onEnd(error);
        if (stream) stream.destroy(upstreamError(error));
        else reject(upstreamError(error));
      },
    });
  });
}
