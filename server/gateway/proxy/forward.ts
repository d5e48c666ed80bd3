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

/** Bytes up to which the start of a body is copied to go out together with the head. */
const WITH_HEAD = 16 * 1024;

/** Node sends the head and a text in one piece, the head and bytes in a gathered write, which costs the system more. */
function writeStart(client: ServerResponse, chunk: Buffer): boolean {
  return chunk.length > WITH_HEAD ? client.write(chunk) : client.write(chunk.toString('latin1'), 'latin1');
}

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
    let hasBody = false;
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
          client.writeHead(status, outgoing);
          if (String(headers['content-type']).startsWith('text/event-stream')) client.flushHeaders();
        },
        onResponseData(current, chunk) {
          const goesOn = hasBody ? client.write(chunk) : writeStart(client, chunk);
          hasBody = true;
          if (!goesOn) current.pause();
        },
        onResponseEnd() {
          ended(headStatus);
          client.end();
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
