import { S3ServiceException } from '@aws-sdk/client-s3';
import { errorCode } from '../../../database/start-error.ts';
import { type AppError, appError } from '../../../http/errors.ts';

/** How stores say that nothing more fits: Ceph, MinIO, others. */
const FULL: ReadonlySet<string> = new Set([
  'QuotaExceeded',
  'XMinioStorageFull',
  'StorageFull',
  'InsufficientCapacity',
]);
const SLOW: ReadonlySet<string> = new Set(['TimeoutError', 'RequestTimeout']);
/** The client calls these TimeoutError too, because both are worth another try. */
const CUT: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE']);

/** Whether the store says that there is no such thing. */
export function isMissing(error: unknown): boolean {
  return (
    error instanceof S3ServiceException &&
    error.$metadata.httpStatusCode === 404 &&
    error.name !== 'NoSuchBucket'
  );
}

/** Whether the store is there and refuses what is asked: another key, another bucket, another right is needed. */
export function isRefusal(error: unknown): boolean {
  const status = error instanceof S3ServiceException ? (error.$metadata.httpStatusCode ?? 0) : 0;
  return status >= 300 && status < 500;
}

/** A failure of the store as the product's own; what the store said stays in the log, as its cause. */
export function storeFailure(error: unknown): AppError {
  const name = error instanceof Error ? error.name : '';
  const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
  if (FULL.has(name) || status === 507) return appError('STORAGE_FULL', { cause: error });
  const code = errorCode(error);
  const isSlow = code === 'ETIMEDOUT' || (SLOW.has(name) && !CUT.has(code));
  if (isSlow) return appError('UPSTREAM_TIMEOUT', { cause: error });
  return appError(isRefusal(error) ? 'UPSTREAM_INVALID' : 'UPSTREAM_UNAVAILABLE', { cause: error });
}
