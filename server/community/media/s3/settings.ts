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
