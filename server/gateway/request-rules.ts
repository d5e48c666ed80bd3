import type { IncomingMessage } from 'node:http';
import type { ErrorCode } from '../../shared/errors.ts';
import { decodedSegments } from './proxy/path.ts';

/** Why a request is refused before anybody looks at what it asks for (requirements 24, 27 and 28), if it is. */
export function requestFault(request: IncomingMessage): ErrorCode | undefined {
  if (hostCount(request.rawHeaders) !== 1) return 'BAD_HOST';
  if (request.headers.upgrade !== undefined) return 'UPGRADE_REFUSED';
  return decodedSegments(request.url ?? '') ? undefined : 'BAD_PATH';
}

/** Node keeps the first of two Host headers silently; a proxy in front may have believed the other. */
function hostCount(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') count += 1;
  }
  return count;
}
