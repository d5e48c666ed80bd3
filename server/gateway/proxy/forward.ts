import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { type AppError, appError } from '../../http/errors.ts';
import { upstreamFailure } from '../upstream/failure.ts';
import type { Upstream } from '../upstream/upstream.ts';

export type Forwarded = {
  upstream: Upstream;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer | Readable | null;
  /** Called when the upstream has nothing more to do with this, before the client's answer ends. */
  onEnd: () => void;
  /** Told why an answer has broken off after its head; what the client has got of it breaks off as well. */
  onCut: (reason: AppError) => void;
};

/** Headers to answer with, or undefined to drop this answer and send nothing. */
export type OnHead = (
  status: number,
  headers: Dispatcher.ResponseData['headers'],
) => Record<string, string | string[] | number> | undefined;

/**
 * `sent`: the client has it all. `dropped`: `onHead` did not want it. `gone`: the client has left. `cut`: the upstream
 * broke off after its head.
 */
export type ForwardEnd = 'sent' | 'dropped' | 'gone' | 'cut';

/** Bytes up to which a body that comes in one piece goes out in one piece with its head. */
const WITH_HEAD = 16 * 1024;

const NO_LONGER_WANTED = new Error('no longer wanted');

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
          const outgoing = onHead(status, headers);
          if (outgoing === undefined) {
            isDropped = true;
            current.abort(NO_LONGER_WANTED);
            return;
          }
          hasHead = true;
          length = Number(headers['content-length']);
          client.writeHead(status, outgoing);
          if (String(headers['content-type']).startsWith('text/event-stream')) client.flushHeaders();
        },
        onResponseData(current, chunk) {
          if (chunk.length === length && length <= WITH_HEAD) whole = chunk.toString('latin1');
          else if (!client.write(chunk)) current.pause();
        },
        onResponseEnd() {
          ended(headStatus);
          if (whole === undefined) client.end();
          else client.end(whole, 'latin1');
          finish('sent');
        },
        onResponseError(_controller, error) {
          ended(isDropped ? headStatus : undefined);
          if (isDropped) return finish('dropped');
          if (isGone) return finish('gone');
          if (hasHead) {
            sent.onCut(upstreamFailure(error));
            finish('cut');
            client.destroy();
            return;
          }
          letGo();
          reject(upstreamFailure(error));
        },
      },
    );
  });
}
