import type { Dispatcher } from 'undici';
import { appError } from '../../../http/errors.ts';
import { MAX_RESPONSE_BYTES } from '../../upstream.ts';
import type { ProxyCall } from '../access.ts';
import { isJson, isText, maskFor, responseHeaders } from '../headers.ts';
import { bodyWithoutTokenFields, type TokenMask } from '../tokens.ts';

type Handler = Required<Dispatcher.DispatchHandler>;

/** Up to this size a body is sent as one buffer: fastest, and nothing is sent of a truncated one. */
const BUFFERED_BYTES = 16 * 1024;

const TOO_LARGE = new Error('response too large');

/**
 * Passes a response on without the tokens of the session, as a stream or as `call.whole`, and the headers that browsers get as
 * `call.headers`: undici would convert each to a buffer and back, and in the library's `rewriteHeaders` an exception would
 * end the process.
 */
export function maskResponse(
  call: ProxyCall,
  handler: Dispatcher.DispatchHandler,
): Pick<Handler, 'onResponseStart' | 'onResponseData' | 'onResponseEnd'> {
  let mask: TokenMask | undefined;
  /** Passes the head on; undefined if that has been done. */
  let start: (() => void) | undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  return {
    onResponseStart(controller, status, received, text) {
      mask = maskFor(call, status, received);
      call.headers = responseHeaders(call, status, received, mask);
      start = () => handler.onResponseStart?.(controller, status, {}, text);
      if (call.answersUser || isShort(call, status)) return;
      start();
      start = undefined;
    },
    onResponseData(controller, chunk) {
      if (!start) return handler.onResponseData?.(controller, mask?.push(chunk) ?? chunk);
      chunks.push(chunk);
      size += chunk.length;
      if (size > MAX_RESPONSE_BYTES) controller.abort(appError('UPSTREAM_INVALID', { cause: TOO_LARGE }));
    },
    onResponseEnd(controller, trailers) {
      if (start) {
        const received = Buffer.concat(chunks, size);
        const body =
          call.answersUser && size > 0 && isText(call.headers)
            ? bodyWithoutTokenFields(received, { isJson: isJson(call.headers) })
            : received;
        call.whole = mask?.whole(body) ?? body;
        start();
      } else if (mask) {
        handler.onResponseData?.(controller, mask.end());
      }
      handler.onResponseEnd?.(controller, trailers);
    },
  };
}

/** Without a content type the body is streamed: Fastify would add a type to a buffer. */
function isShort({ request, headers }: ProxyCall, status: number): boolean {
  if (request.method === 'HEAD' || status === 204 || status === 304) return true;
  return headers['content-type'] !== undefined && Number(headers['content-length']) <= BUFFERED_BYTES;
}
