import { S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { errorCode } from '../../../database/errors.ts';
import { type AppError, appError } from '../../../http/errors.ts';
import { trustIn } from '../../../http/outgoing.ts';

/** Where a bucket is and who may use it (settings S3_*). */
export type S3Settings = {
  /** Address of the store, without the bucket. */
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** PEM of a private authority. */
  ca?: string | undefined;
};

/** Times in milliseconds. */
export type S3Timeouts = {
  /** Until a connection stands. */
  connect: number;
  /** Until an answer begins, and between two pieces of one. */
  answer: number;
  /** How often a request is sent at most. */
  attempts: number;
};

export const S3_TIMEOUTS: S3Timeouts = { connect: 2000, answer: 30_000, attempts: 3 };

/** Connections at a time, as the client has them by itself. */
const CONNECTIONS = 50;

/**
 * A client that takes nothing from its environment (no AWS_* variables, no files in the home folder). Checksums of the
 * newer protocol are sent where an operation demands them only: many stores do not know them.
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
