import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { type AppError, appError } from '../../http/errors.ts';
import { ANSWER_BYTES, upstreamError } from '../upstream/ask.ts';
import type { Upstream } from '../upstream/upstream.ts';
import type { TokenMask } from './token-mask.ts';

type ResponseHeaders = Dispatcher.ResponseData['headers'];

export type Forwarded = {
  upstream: Upstream;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer | Readable | null;
  /** Reads the answer whole, before its head goes out, and makes the body that the client gets. */
  rewrite?: (body: Buffer, headers: ResponseHeaders) => Buffer;
  /** Called when the upstream has nothing more to do with this, before the client's answer ends. */
  onEnd: () => void;
  /** Told why an answer has broken off after its head; what the client has got of it breaks off as well. */
  onCut: (reason: AppError) => void;
};

/** Headers to answer with and what the body passes through, or undefined to drop this answer and send nothing. */
export type OnHead = (
  status: number,
  headers: ResponseHeaders,
) => { headers: Record<string, string | string[] | number>; mask: TokenMask | undefined } | undefined;

/**
 * `sent`: the client has it all. `dropped`: `onHead` did not want it. `gone`: the client has left. `cut`: the upstream
 * broke off after its head.
 */
export type ForwardEnd = 'sent' | 'dropped' | 'gone' | 'cut';

/** Bytes up to which a body that comes in one piece goes out in one piece with its head. */
const WITH_HEAD = 16 * 1024;

const NO_LONGER_WANTED = new Error('no longer wanted');
const TOO_LARGE = new Error('answer too large');
const NOTHING = Buffer.alloc(0);

/**
 * Pipes a request upstream and the answer back as they come, each side at the pace of the other. When the client leaves,
 * the upstream is let go at once, before its head as well; an answer that breaks off breaks off for the client too.
 * @throws AppError UPSTREAM_* when no head came, or what `onHead` throws.
 */
export function forward(sent: Forwarded, client: ServerResponse, onHead: OnHead): Promise<ForwardEnd> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | null = null;
    let isGone = client.destroyed;
    let isDropped = false;
    let hasHead = false;
    let length = -1;
    /** The whole body, one character a byte: Node sends such a text and the head in one write, which costs the least. */
    let whole: string | undefined;
    let headStatus: number | undefined;
    let mask: TokenMask | undefined;
    /** An answer that is read whole first. */
    let collected: { headers: ResponseHeaders; chunks: Buffer[]; size: number } | undefined;
    const told = sent.upstream.watch();
    const ended = (status?: number): void => {
      told(status);
      sent.onEnd();
    };

    const onClose = (): void => {
      if (client.writableFinished) return;
      isGone = true;
      controller?.abort(NO_LONGER_WANTED);
    };
    const onDrain = (): void => controller?.resume();
    client.once('close', onClose);
    client.on('drain', onDrain);
    const letGo = (): void => {
      client.off('close', onClose);
      client.off('drain', onDrain);
    };
    const finish = (end: ForwardEnd): void => {
      letGo();
      resolve(end);
    };
    const fail = (error: unknown): void => {
      letGo();
      reject(upstreamError(error));
    };
    /** False: the answer is dropped. */
    const begin = (status: number, headers: ResponseHeaders): boolean => {
      const outgoing = onHead(status, headers);
      if (outgoing === undefined) return false;
      mask = outgoing.mask;
      hasHead = true;
      length = Number(headers['content-length']);
      client.writeHead(status, outgoing.headers);
      if (String(headers['content-type']).startsWith('text/event-stream')) client.flushHeaders();
      return true;
    };
    const sendCollected = (status: number, { headers, chunks }: NonNullable<typeof collected>): void => {
      const body = sent.rewrite?.(Buffer.concat(chunks), headers) ?? NOTHING;
      const hasOwnLength = sent.method === 'HEAD' || status === 204 || status === 304;
      const framed = hasOwnLength ? headers : { ...headers, 'content-length': String(body.length) };
      const isWanted = begin(status, framed);
      if (isWanted) client.end(mask?.whole(body) ?? body);
      finish(isWanted ? 'sent' : 'dropped');
    };

    sent.upstream.dispatcher.dispatch(
      {
        origin: sent.upstream.origin,
        method: sent.method,
        path: sent.path,
        headers: sent.headers,
        body: sent.body,
        headersTimeout: sent.upstream.timeout,
        bodyTimeout: sent.upstream.timeout,
      },
      {
        onRequestStart(started) {
          controller = started;
          if (isGone) started.abort(NO_LONGER_WANTED);
        },
        onResponseStart(current, status, headers) {
          if (status < 200) return;
          if (status > 599) throw appError('UPSTREAM_INVALID', { cause: new Error(`status ${status}`) });
          headStatus = status;
          if (sent.rewrite) {
            collected = { headers, chunks: [], size: 0 };
            return;
          }
          if (begin(status, headers)) return;
          isDropped = true;
          current.abort(NO_LONGER_WANTED);
        },
        onResponseData(current, chunk) {
          if (collected) {
            collected.chunks.push(chunk);
            collected.size += chunk.length;
            if (collected.size > ANSWER_BYTES)
              current.abort(appError('UPSTREAM_INVALID', { cause: TOO_LARGE }));
          } else if (chunk.length === length && length <= WITH_HEAD) {
            whole = (mask?.whole(chunk) ?? chunk).toString('latin1');
          } else if (!client.write(mask?.push(chunk) ?? chunk)) current.pause();
        },
        onResponseEnd() {
          ended(headStatus);
          if (collected && headStatus !== undefined) {
            try {
              return sendCollected(headStatus, collected);
            } catch (error) {
              return fail(error);
            }
          }
          if (whole === undefined) client.end(mask?.end());
          else client.end(whole, 'latin1');
          finish('sent');
        },
        onResponseError(_controller, error) {
          ended(isDropped ? headStatus : undefined);
          if (isDropped) return finish('dropped');
          if (isGone) return finish('gone');
          if (hasHead) {
            sent.onCut(upstreamError(error));
            finish('cut');
            client.destroy();
            return;
          }
          fail(error);
        },
      },
    );
  });
}
