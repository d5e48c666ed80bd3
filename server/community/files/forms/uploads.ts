import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Multipart } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { TObject } from 'typebox';
import type { ErrorCode } from '../../../../shared/errors.ts';
import { inMegabytes } from '../../../../shared/package/package.ts';
import { errorCode } from '../../../database/errors.ts';
import { appError, isAppError } from '../../../http/errors.ts';
import { isDiskFull } from '../../../storage/durable-write.ts';
import { type FormError, formError, pointerTo, refuseAny } from './parse-fields.ts';

/** The limits of one kind of file part. */
export type FileRule = {
  /** Maximum number of parts with this name. */
  count: number;
  /** Maximum bytes of each. */
  bytes: number;
  /** Maximum bytes of all of them, if that is less than `count * bytes`. */
  together?: number;
  /** Error code for too many bytes; its `{size}` is the limit in megabytes. */
  tooLarge: ErrorCode;
  /** Error code for too many parts; VALIDATION_FAILED by default. */
  tooMany?: ErrorCode;
  /** Values of other placeholders in the messages of both. */
  params?: Readonly<Record<string, string>>;
};

export type FileRules = Readonly<Record<string, FileRule>>;

/** A file part, in a temporary file that is deleted after the response. */
export type UploadedFile = { field: string; filename: string; path: string; bytes: number };

/** The file parts by name, in the order of the form; a name without parts has an empty list. */
export type FilesOf<Rules extends FileRules> = Readonly<Record<keyof Rules, UploadedFile[]>>;

/** Milliseconds without a byte, and milliseconds for the whole form. */
export type Timeouts = { idle: number; whole: number };

type RawForm = { fields: Map<string, unknown>; files: Record<string, UploadedFile[]> };
type Reading = { schema: TObject; rules: FileRules; folder: string; timeouts: Timeouts };

/** Maximum bytes of a field: the longest text in six languages with every character escaped. */
const FIELD_BYTES_MAX = 512 * 1024;
/** Room for delimiters and headers of a part. */
const PART_OVERHEAD = 4096;
/** A few parts beyond the limit are read, so that the response can name each of them. */
const SURPLUS_PARTS = 20;
/** Files beyond their common limit are read up to this multiple, so that the response can name the first of them. */
const SURPLUS_BYTES = 2;

/** Parser errors that mean more than an unreadable body. */
const READING_CODES: Readonly<Record<string, ErrorCode>> = {
  FST_PARTS_LIMIT: 'BODY_TOO_LARGE',
  FST_FILES_LIMIT: 'BODY_TOO_LARGE',
  FST_FIELDS_LIMIT: 'BODY_TOO_LARGE',
  FST_PROTO_VIOLATION: 'VALIDATION_FAILED',
};

export function uploadsFolder(dataDir: string): string {
  return join(dataDir, 'uploads');
}

/**
 * Reads a multipart body (RFC 7578) part by part and streams its files into `folder`, which is created when needed.
 * @throws VALIDATION_FAILED with all unknown, repeated and too long parts; the codes of the file rules; BODY_TOO_LARGE,
 * MALFORMED_BODY, REQUEST_TIMEOUT, STORAGE_FULL
 */
export async function readParts(request: FastifyRequest, reading: Reading): Promise<RawForm> {
  const { limits, bytesMax } = limitsOf(reading);
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) throw appError('BODY_TOO_LARGE');
  const watch = watchUpload(request.raw, bytesMax, reading.timeouts);
  const files = Object.fromEntries(Object.keys(reading.rules).map((name) => [name, []]));
  const form: RawForm = { fields: new Map(), files };
  const errors: FormError[] = [];
  try {
    const parts = request.parts({ limits });
    for (;;) {
      const { done, value: part } = await Promise.race([parts.next(), watch.aborted]);
      if (done) break;
      const error =
        part.type === 'file'
          ? await readFilePart(part, form, reading, watch.signal)
          : readFieldPart(part, form, reading.schema);
      if (error) errors.push(error);
    }
  } catch (error) {
    const { aborted, reason } = watch.signal;
    if (aborted) throw reason;
    if (isAppError(error)) throw error;
    throw appError(READING_CODES[errorCode(error)] ?? 'MALFORMED_BODY', { cause: error });
  } finally {
    watch.stop();
  }
  refuseAny(errors);
  return form;
}

/** The parser has one limit for all files, so that of each kind is checked after reading. */
function limitsOf({ schema, rules }: Reading) {
  const kinds = Object.values(rules);
  const fieldCount = Object.keys(schema.properties).length;
  const fields = fieldCount + SURPLUS_PARTS;
  const files = kinds.reduce((sum, { count }) => sum + count, SURPLUS_PARTS);
  const fileSize = Math.max(0, ...kinds.map(({ bytes }) => bytes));
  const bytesMax = kinds.reduce(
    (sum, { count, bytes, together }) =>
      sum + count * PART_OVERHEAD + (together ? together * SURPLUS_BYTES : count * bytes),
    fieldCount * (FIELD_BYTES_MAX + PART_OVERHEAD),
  );
  const parts = { parts: fields + files, headerPairs: 20, headerSize: 4096 };
  return { bytesMax, limits: { fields, files, fileSize, fieldSize: FIELD_BYTES_MAX, ...parts } };
}

type FilePart = Extract<Multipart, { type: 'file' }>;
type FieldPart = Exclude<Multipart, FilePart>;

function readFieldPart(
  { fieldname: name = '', value, valueTruncated }: FieldPart,
  { fields }: RawForm,
  schema: TObject,
): FormError | undefined {
  const pointer = pointerTo(name);
  if (!Object.hasOwn(schema.properties, name)) return formError(pointer, 'is not a field of this form');
  if (fields.has(name)) return formError(pointer, 'is given twice');
  if (valueTruncated) return formError(pointer, 'is too long');
  fields.set(name, value);
  return undefined;
}

async function readFilePart(
  { fieldname: field = '', filename = '', file }: FilePart,
  form: RawForm,
  { rules, folder }: Reading,
  signal: AbortSignal,
): Promise<FormError | undefined> {
  const pointer = pointerTo(field);
  const rule = Object.hasOwn(rules, field) ? rules[field] : undefined;
  const files = (rule && form.files[field]) ?? [];
  if (!rule || files.length >= rule.count) {
    file.resume();
    if (!rule) return formError(pointer, 'is not a file of this form');
    if (rule.tooMany) return formError(pointer, { code: rule.tooMany, params: rule.params });
    return formError(pointer, 'is given too often');
  }
  const path = join(folder, `${field}-${files.length}`);
  try {
    // Unchecked content must be readable by the service alone.
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const target = await open(path, 'w', 0o600);
    await pipeline(file, target.createWriteStream(), { signal });
  } catch (error) {
    file.destroy();
    throw isDiskFull(error) ? appError('STORAGE_FULL', { cause: error }) : error;
  }
  const bytes = file.bytesRead;
  // Browsers send an empty file input as a part without name and content.
  if (bytes === 0 && filename === '') return undefined;
  files.push({ field, filename: filename.slice(0, 255), path, bytes });
  const total = files.reduce((sum, other) => sum + other.bytes, 0);
  if (!file.truncated && bytes <= rule.bytes && total <= (rule.together ?? total)) return undefined;
  const at = rule.count > 1 ? `${pointer}/${files.length - 1}` : pointer;
  const size = inMegabytes(rule.together ?? rule.bytes);
  return formError(at, { code: rule.tooLarge, params: { size, ...rule.params } });
}

/** Aborts an upload that is too large or too slow, with the error to respond with. */
function watchUpload(request: IncomingMessage, bytesMax: number, timeouts: Timeouts) {
  const abort = new AbortController();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  aborted.catch(() => undefined);
  abort.signal.addEventListener('abort', () => reject(abort.signal.reason));
  const onTimeout = (): void =>
    abort.abort(appError('REQUEST_TIMEOUT', { headers: { connection: 'close' } }));
  const whole = setTimeout(onTimeout, timeouts.whole).unref();
  const idle = setTimeout(onTimeout, timeouts.idle).unref();
  let bytes = 0;
  const onData = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes > bytesMax) abort.abort(appError('BODY_TOO_LARGE'));
    idle.refresh();
  };
  request.on('data', onData);
  const stop = (): void => {
    clearTimeout(whole);
    clearTimeout(idle);
    request.off('data', onData);
  };
  return { signal: abort.signal, aborted, stop };
}

/**
 * Removes the files of killed processes.
 * @param before milliseconds since 1970: what was changed later stays
 * @returns the number of removed entries, or those that would be removed
 */
export async function removeLeftUploads(
  dataDir: string,
  before: number,
  { dryRun = false } = {},
): Promise<number> {
  const folder = uploadsFolder(dataDir);
  let removed = 0;
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (!found || found.mtimeMs >= before) continue;
    if (!dryRun) await rm(path, { recursive: true, force: true });
    removed += 1;
  }
  return removed;
}
