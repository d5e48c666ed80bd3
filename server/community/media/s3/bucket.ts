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
import { isMissing, storeFailure } from './client.ts';

type FoundObject = { bytes: number; putAt: Date };

/** The few things that are done with one object of a bucket; like those below, each throws the product's own errors. */
export type Bucket = {
  find(key: string): Promise<FoundObject | undefined>;
  write(key: string, content: Uint8Array | AsyncIterable<Uint8Array>): Promise<void>;
  /** Makes an object as young as one just written. One that is gone stays gone. */
  renew(key: string): Promise<void>;
  read(key: string, range?: ByteRange): Readable;
  /** An object that is gone already is no failure. */
  delete(key: string): Promise<void>;
};

/** Uploads go up in such pieces, one at a time: this is what one takes of memory. The protocol asks for 5 MiB at least. */
const PART_BYTES = 8 * 2 ** 20;

export function openBucket(client: S3Client, bucket: string): Bucket {
  const place = (key: string) => ({ Bucket: bucket, Key: key });
  return {
    async find(key) {
      const head = await unlessMissing(client.send(new HeadObjectCommand(place(key))));
      return head && { bytes: head.ContentLength ?? 0, putAt: head.LastModified ?? new Date(0) };
    },
    async write(key, content) {
      if (content instanceof Uint8Array) {
        const put = new PutObjectCommand({ ...place(key), Body: content });
        await client.send(put).catch(fail);
      } else await writePieces(client, place(key), content);
    },
    async renew(key) {
      const source = `${encodeURIComponent(bucket)}/${encodeURIComponent(key)}`;
      const copy = new CopyObjectCommand({
        ...place(key),
        CopySource: source,
        MetadataDirective: 'REPLACE',
      });
      await unlessMissing(client.send(copy));
    },
    read: (key, range) => readPieces(client, place(key), range),
    async delete(key) {
      await unlessMissing(client.send(new DeleteObjectCommand(place(key))));
    },
  };
}

type Place = { Bucket: string; Key: string };

/** The object is there when the last piece is, whole or not at all. What fails on the way leaves none. */
async function writePieces(client: S3Client, place: Place, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  const source = { failed: false };
  const body = Readable.from(noting(pieces, source), { objectMode: false });
  const upload = new Upload({ client, params: { ...place, Body: body }, partSize: PART_BYTES, queueSize: 1 });
  try {
    await upload.done();
  } catch (error) {
    throw source.failed ? error : storeFailure(error);
  } finally {
    body.destroy();
  }
}

/** Notes whether it was the reading that failed: such a failure is not the store's. */
async function* noting(
  pieces: AsyncIterable<Uint8Array>,
  source: { failed: boolean },
): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces;
  } catch (error) {
    source.failed = true;
    throw error;
  }
}

/** Asks when the first piece is wanted; destroying it ends the request. */
function readPieces(client: S3Client, place: Place, range: ByteRange | undefined): Readable {
  const stop = new AbortController();
  const ranged = range && { Range: `bytes=${range.start}-${range.end}` };
  async function* pieces(): AsyncGenerator<Uint8Array> {
    try {
      const { Body } = await client.send(new GetObjectCommand({ ...place, ...ranged }), {
        abortSignal: stop.signal,
      });
      if (Body instanceof Readable) yield* Body;
    } catch (error) {
      throw storeFailure(error);
    }
  }
  const stream = Readable.from(pieces(), { objectMode: false });
  stream.once('close', () => stop.abort());
  return stream;
}

async function unlessMissing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw storeFailure(error);
  }
}

function fail(error: unknown): never {
  throw storeFailure(error);
}

type BucketOf = { client: S3Client; bucket: string };
type ListedObject = FoundObject & { key: string };

/** Every object below a prefix, a page of a thousand at a time. */
export async function* objectsBelow(
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
    throw storeFailure(error);
  }
}

type LeftUpload = { Key: string | undefined; UploadId: string | undefined };

/** Ends uploads that were begun before a time and never completed. @returns how many, or how many there would be */
export async function abortLeftUploads(
  { client, bucket }: BucketOf,
  { before, dryRun }: { before: Date; dryRun: boolean },
): Promise<number> {
  try {
    const left = await Array.fromAsync(uploadsBefore({ client, bucket }, before));
    for (const upload of dryRun ? [] : left)
      await client.send(new AbortMultipartUploadCommand({ Bucket: bucket, ...upload }));
    return left.length;
  } catch (error) {
    throw storeFailure(error);
  }
}

type Marker = { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined };

async function* uploadsBefore({ client, bucket }: BucketOf, before: Date): AsyncGenerator<LeftUpload> {
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
