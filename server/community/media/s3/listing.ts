import {
  AbortMultipartUploadCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';
import { storeFailure } from './failure.ts';

export type BucketOf = { client: S3Client; bucket: string };
export type ListedObject = { key: string; bytes: number; putAt: Date };

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
