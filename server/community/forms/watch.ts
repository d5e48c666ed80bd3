import type { IncomingMessage } from 'node:http';
import { COMMUNITY_TIMEOUT } from '../../../shared/constants.ts';
import { type AppError, appError } from '../../http/errors.ts';

/** How long, milliseconds, nothing may come, and how long the whole may take. */
export type Patience = { idle: number; whole: number };

export const PATIENCE: Patience = { idle: 60_000, whole: COMMUNITY_TIMEOUT };

export type Watch = {
  /** Settles as `work` does, or is rejected as soon as the upload has become too large, too slow or was cut. */
  within<T>(work: Promise<T>): Promise<T>;
  stop(): void;
};

/**
 * Watches an upload while it is read.
 * @throws (through `within`) BODY_TOO_LARGE, REQUEST_TIMEOUT, MALFORMED_BODY when the client has gone away
 */
export function watchUpload(request: IncomingMessage, bytesMax: number, patience: Patience): Watch {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => undefined);
  const refuse = (error: AppError): void => {
    stop();
    reject(error);
  };
  const tooSlow = (): void => refuse(appError('REQUEST_TIMEOUT', { headers: { connection: 'close' } }));
  const whole = setTimeout(tooSlow, patience.whole).unref();
  let idle = setTimeout(tooSlow, patience.idle).unref();
  let bytes = 0;
  const onData = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes > bytesMax) refuse(appError('BODY_TOO_LARGE'));
    else idle = idle.refresh();
  };
  const onClose = (): void => {
    if (!request.complete) refuse(appError('MALFORMED_BODY', { cause: new Error('the client went away') }));
  };
  function stop(): void {
    clearTimeout(whole);
    clearTimeout(idle);
    request.off('data', onData);
    request.off('close', onClose);
  }
  request.on('data', onData);
  request.on('close', onClose);
  return { within: (work) => Promise.race([work, promise]), stop };
}
