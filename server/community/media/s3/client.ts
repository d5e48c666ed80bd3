import { S3Client } from '@aws-sdk/client-s3';
import { trustIn } from '../../../http/outgoing.ts';
import type { S3Settings, S3Timeouts } from './settings.ts';

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
