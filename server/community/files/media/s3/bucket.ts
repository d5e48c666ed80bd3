import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  PutObjectCommand,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { ByteRange } from '../files.ts';
import { isMissing, storeError } from './client.ts';

type FoundObject = { bytes: number; putAt: Date };

/** Operations on one object of a bucket; like the functions below, they throw the product's own errors. */
export type Bucket = {
  find(key: string): Promise<FoundObject | undefined>;
  write(key: string, content: Uint8Array | AsyncIterable<Uint8Array>): Promise<void>;
  /** Sets the time of an object to now; a missing object is ignored. */
  renew(key: string): Promise<void>;
  read(key: string, range?: ByteRange): Readable;
  /** A missing object is not an error. */
  delete(key: string): Promise<void>;
};

/** Bytes of a part. Parts are uploaded one at a time, so this is the memory per upload. S3 requires at least 5 MiB. */
const PART_BYTES = 8 * 2 ** 20;

export function openBucket(client: S3Client, bucket: string): Bucket {
  const place = (key: string) => ({ Bucket: bucket, Key: key });
  return {
    async find(key) {
      const head = await ignoreMissing(client.send(new HeadObjectCommand(place(key))));
      return head && { bytes: head.ContentLength ?? 0, putAt: head.LastModified ?? new Date(0) };
    },
    async write(key, content) {
      if (content instanceof Uint8Array) {
        const put = new PutObjectCommand({ ...place(key), Body: content });
        await client.send(put).catch(fail);
      } else await uploadParts(client, place(key), content);
    },
    async renew(key) {
      const source = `${encodeURIComponent(bucket)}/${encodeURIComponent(key)}`;
      const copy = new CopyObjectCommand({
        ...place(key),
        CopySource: source,
        MetadataDirective: 'REPLACE',
      });
      await ignoreMissing(client.send(copy));
    },
    read: (key, range) => readStream(client, place(key), range),
    async delete(key) {
      await ignoreMissing(client.send(new DeleteObjectCommand(place(key))));
    },
  };
}

type Place = { Bucket: string; Key: string };

/** The object appears with the last part, whole or not at all. */
async function uploadParts(
  client: S3Client,
  place: Place,
  content: AsyncIterable<Uint8Array>,
): Promise<void> {
  const source = { failed: false };
  const body = Readable.from(markingFailure(content, source), { objectMode: false });
  const upload = new Upload({ client, params: { ...place, Body: body }, partSize: PART_BYTES, queueSize: 1 });
  try {
    await upload.done();
  } catch (error) {
    throw source.failed ? error : storeError(error);
  } finally {
    body.destroy();
  }
}

/** Marks a failed source, whose error must not be reported as an error of the store. */
async function* markingFailure(
  content: AsyncIterable<Uint8Array>,
  source: { failed: boolean },
): AsyncGenerator<Uint8Array> {
  try {
    yield* content;
  } catch (error) {
    source.failed = true;
    throw error;
  }
}

/** Sends the request with the first read; destroying the stream ends it. */
function readStream(client: S3Client, place: Place, range: ByteRange | undefined): Readable {
  const stop = new AbortController();
  const ranged = range && { Range: `bytes=${range.start}-${range.end}` };
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      const { Body } = await client.send(new GetObjectCommand({ ...place, ...ranged }), {
        abortSignal: stop.signal,
      });
      if (Body instanceof Readable) yield* Body;
    } catch (error) {
      throw storeError(error);
    }
  }
  const stream = Readable.from(chunks(), { objectMode: false });
  stream.once('close', () => stop.abort());
  return stream;
}

async function ignoreMissing<T>(response: Promise<T>): Promise<T | undefined> {
  try {
    return await response;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw storeError(error);
  }
}

function fail(error: unknown): never {
  throw storeError(error);
}

type BucketOf = { client: S3Client; bucket: string };
type ListedObject = FoundObject & { key: string };

/** Lists every object with a prefix. */
export async function* listObjects(
  { client, bucket }: BucketOf,
  prefix: string,
): AsyncGenerator<ListedObject> {
  try {
    for await (const { Contents = [] } of paginateListObjectsV2(
      { client },
      { Bucket: bucket, Prefix: prefix },
    )) {
      for (const { Key = '', Size = 0, LastModified = new Date(0) } of Contents) {
        yield { key: Key, bytes: Size, putAt: LastModified };
      }
    }
  } catch (error) {
    throw storeError(error);
  }
}

type IncompleteUpload = { Key: string | undefined; UploadId: string | undefined };

/** Aborts incomplete uploads that were started before a time. @returns the number that was, or would be, aborted */
export async function abortIncompleteUploads(
  { client, bucket }: BucketOf,
  { before, dryRun }: { before: Date; dryRun: boolean },
): Promise<number> {
  try {
    const left = await Array.fromAsync(listUploadsBefore({ client, bucket }, before));
    for (const upload of dryRun ? [] : left)
      await client.send(new AbortMultipartUploadCommand({ Bucket: bucket, ...upload }));
    return left.length;
  } catch (error) {
    throw storeError(error);
  }
}

type Marker = { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined };

async function* listUploadsBefore(
  { client, bucket }: BucketOf,
  before: Date,
): AsyncGenerator<IncompleteUpload> {
  let marker: Marker | undefined = {};
  while (marker) {
    const page: ListMultipartUploadsCommandOutput = await client.send(
      new ListMultipartUploadsCommand({ Bucket: bucket, ...marker }),
    );
    for (const { Key, UploadId, Initiated } of page.Uploads ?? [])
      if (Initiated && Initiated < before) yield { Key, UploadId };
    marker = page.IsTruncated
      ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
      : undefined;
  }
}
