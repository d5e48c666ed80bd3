import { S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { errorCode } from '../../../../database/errors.ts';
import { type AppError, appError } from '../../../../http/errors.ts';
import { trustIn } from '../../../../http/outgoing.ts';

/** Address and credentials of a bucket (settings S3_*). */
export type S3Settings = {
  /** Without the bucket. */
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** PEM of a private certificate authority. */
  ca?: string | undefined;
};

/** Times in milliseconds. */
export type S3Timeouts = {
  /** Until connected. */
  connect: number;
  /** Until the response starts, and between two chunks of it. */
  answer: number;
  /** Maximum number of attempts per request. */
  attempts: number;
};

export const S3_TIMEOUTS: S3Timeouts = { connect: 2000, answer: 30_000, attempts: 3 };

/** The client's default number of connections. */
const CONNECTIONS = 50;

/**
 * Creates a client that ignores AWS_* variables and files of the home folder. Newer checksums are only sent where an
 * operation requires them, since many stores do not support them.
 */
export function openS3Client(settings: S3Settings, timeouts: S3Timeouts): S3Client {
  const { endpoint, region, accessKeyId, secretAccessKey, ca } = settings;
  return new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    retryMode: 'standard',
    maxAttempts: timeouts.attempts,
    defaultsMode: 'standard',
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    requestHandler: {
      connectionTimeout: timeouts.connect,
      requestTimeout: timeouts.answer,
      socketTimeout: timeouts.answer,
      throwOnRequestTimeout: true,
      httpsAgent: { keepAlive: true, maxSockets: CONNECTIONS, ...trustIn(ca) },
    },
  });
}

/** Error names for a full store: Ceph, MinIO, others. */
const FULL: ReadonlySet<string> = new Set([
  'QuotaExceeded',
  'XMinioStorageFull',
  'StorageFull',
  'InsufficientCapacity',
]);
const SLOW: ReadonlySet<string> = new Set(['TimeoutError', 'RequestTimeout']);
/** The client reports these as TimeoutError too, since it retries both. */
const CUT: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE']);

/** True if the store reports a missing object. */
export function isMissing(error: unknown): boolean {
  return (
    error instanceof S3ServiceException &&
    error.$metadata.httpStatusCode === 404 &&
    error.name !== 'NoSuchBucket'
  );
}

/** True if the store rejects the request: wrong key, wrong bucket or missing permission. */
export function isRejection(error: unknown): boolean {
  const status = error instanceof S3ServiceException ? (error.$metadata.httpStatusCode ?? 0) : 0;
  return status >= 300 && status < 500;
}

/** Converts an error of the store to the product's own, with the original as its cause for the log. */
export function storeError(error: unknown): AppError {
  const name = error instanceof Error ? error.name : '';
  const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
  if (FULL.has(name) || status === 507) return appError('STORAGE_FULL', { cause: error });
  const code = errorCode(error);
  const isSlow = code === 'ETIMEDOUT' || (SLOW.has(name) && !CUT.has(code));
  if (isSlow) return appError('UPSTREAM_TIMEOUT', { cause: error });
  return appError(isRejection(error) ? 'UPSTREAM_INVALID' : 'UPSTREAM_UNAVAILABLE', { cause: error });
}

/** A failed request: the operation of S3, and the product's code for the error. */
export type OnStoreError = (failed: { operation: string; code: string }) => void;

/** Reports requests that fail; a missing object, or a reader who has gone, is no failure. */
export function reportErrors(client: S3Client, onError: OnStoreError): void {
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (given) => {
        try {
          return await next(given);
        } catch (error) {
          const isGone = error instanceof Error && error.name === 'AbortError';
          if (!isMissing(error) && !isGone)
            onError({ operation: commandName.replace(/Command$/, ''), code: storeError(error).code });
          throw error;
        }
      },
    { step: 'initialize', name: 'reportErrors' },
  );
}
