import type { IncomingMessage } from 'node:http';
import type { Multipart } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { TObject } from 'typebox';
import { COMMUNITY_TIMEOUT } from '../../../shared/constants.ts';
import type { ErrorCode } from '../../../shared/errors.ts';
import { inMegabytes } from '../../../shared/package/package.ts';
import { errorCode } from '../../database/errors.ts';
import { appError, isAppError } from '../../http/errors.ts';
import { type FormError, formError, pointerTo, refuseAny } from './parse-fields.ts';
import type { FileRules, UploadedFile, Uploads } from './uploads.ts';

/** Fields and files as they came, every name known and no single one given twice. */
export type RawForm = { fields: Map<string, unknown>; files: UploadedFile[] };

/** How long, milliseconds, nothing may come, and how long the whole may take. */
export type Timeouts = { idle: number; whole: number };

export const TIMEOUTS: Timeouts = { idle: 60_000, whole: COMMUNITY_TIMEOUT };

type Reading = { schema: TObject; rules: FileRules; uploads: Uploads; timeouts: Timeouts };

/** Bytes one field may have: the longest text there is, in six languages, every character escaped. */
const FIELD_BYTES_MAX = 512 * 1024;
/** Room for delimiters and headers of a part. */
const PART_OVERHEAD = 4096;
/** More parts of a kind than this are nobody's form, so reading ends there. */
const SURPLUS_PARTS = 20;
/** What is too much together is read to this multiple, so that the answer can say what of the form it is. */
const SURPLUS_BYTES = 2;

/** What the parser says, where it is more than that the body cannot be read. */
const READING_CODES: Readonly<Record<string, ErrorCode>> = {
  FST_PARTS_LIMIT: 'BODY_TOO_LARGE',
  FST_FILES_LIMIT: 'BODY_TOO_LARGE',
  FST_FIELDS_LIMIT: 'BODY_TOO_LARGE',
  FST_PROTO_VIOLATION: 'VALIDATION_FAILED',
};

/**
 * Reads a multipart body (RFC 7578) part by part; files go to the disk as they come.
 * @throws VALIDATION_FAILED with all unknown, doubled and over-long parts; the codes of the file rules; BODY_TOO_LARGE,
 * MALFORMED_BODY, REQUEST_TIMEOUT, STORAGE_FULL
 */
export async function readParts(request: FastifyRequest, reading: Reading): Promise<RawForm> {
  const { limits, bytesMax } = limitsOf(reading);
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) throw appError('BODY_TOO_LARGE');
  const watch = watchUpload(request.raw, bytesMax, reading.timeouts);
  const form: RawForm = { fields: new Map(), files: [] };
  const errors: FormError[] = [];
  try {
    const parts = request.parts({ limits });
    for (;;) {
      const { done, value: part } = await Promise.race([parts.next(), watch.aborted]);
      if (done) break;
      const found =
        part.type === 'file'
          ? await takeFile(part, form, { ...reading, signal: watch.signal })
          : takeField(part, form, reading.schema);
      if (found) errors.push(found);
    }
  } catch (error) {
    const { aborted, reason } = watch.signal;
    if (isAppError(error)) throw error;
    throw aborted ? reason : appError(READING_CODES[errorCode(error)] ?? 'MALFORMED_BODY', { cause: error });
  } finally {
    watch.stop();
  }
  refuseAny(errors);
  return form;
}

function limitsOf({ schema, rules }: Reading) {
  const fieldParts = Object.keys(schema.properties).length;
  const fileBytes = Object.values(rules).map(
    ({ count, bytes, together }) =>
      count * PART_OVERHEAD + (together ? together * SURPLUS_BYTES : count * bytes),
  );
  const fields = fieldParts + SURPLUS_PARTS;
  const files = Object.values(rules).reduce((sum, { count }) => sum + count, SURPLUS_PARTS);
  return {
    /** Bytes a whole form may have, as its fields and files add up. */
    bytesMax: fileBytes.reduce((sum, bytes) => sum + bytes, fieldParts * (FIELD_BYTES_MAX + PART_OVERHEAD)),
    limits: {
      fields,
      files,
      parts: fields + files,
      fieldSize: FIELD_BYTES_MAX,
      fileSize: Number.POSITIVE_INFINITY,
      headerPairs: 20,
      headerSize: 4096,
    },
  };
}

type FilePart = Extract<Multipart, { type: 'file' }>;
type FieldPart = Exclude<Multipart, FilePart>;

function takeField(
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

async function takeFile(
  { fieldname: name = '', filename: givenName = '', file }: FilePart,
  { files }: RawForm,
  { rules, uploads, signal }: Reading & { signal: AbortSignal },
): Promise<FormError | undefined> {
  const pointer = pointerTo(name);
  const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
  const before = files.filter(({ field }) => field === name);
  if (!rule || before.length >= rule.count) {
    file.resume();
    if (!rule) return formError(pointer, 'is not a file of this form');
    if (rule.tooMany) return formError(pointer, { code: rule.tooMany, params: rule.params });
    return formError(pointer, 'is given too often');
  }
  const taken = before.reduce((sum, { bytes }) => sum + bytes, 0);
  const bytesMax = Math.min(rule.bytes, Math.max(0, (rule.together ?? Number.POSITIVE_INFINITY) - taken));
  const { path, bytes } = await uploads.write(file, bytesMax, signal);
  const filename = givenName.slice(0, 255);
  // A browser sends a file input that was left alone as a part without name and content.
  if (bytes === 0 && filename === '') return undefined;
  files.push({ field: name, filename, path, bytes });
  if (bytes <= bytesMax) return undefined;
  const size = inMegabytes(rule.together ?? rule.bytes);
  const filePointer = rule.count > 1 ? `${pointer}/${before.length}` : pointer;
  return formError(filePointer, { code: rule.tooLarge, params: { size, ...rule.params } });
}

/** Aborts, with what is answered, an upload that has become too large or too slow, or was cut. */
function watchUpload(request: IncomingMessage, bytesMax: number, timeouts: Timeouts) {
  const abort = new AbortController();
  const { signal } = abort;
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
  aborted.catch(() => undefined);
  const tooSlow = (): void => abort.abort(appError('REQUEST_TIMEOUT', { headers: { connection: 'close' } }));
  const whole = setTimeout(tooSlow, timeouts.whole).unref();
  const idle = setTimeout(tooSlow, timeouts.idle).unref();
  let bytes = 0;
  const onData = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes > bytesMax) abort.abort(appError('BODY_TOO_LARGE'));
    idle.refresh();
  };
  const onClose = (): void => {
    if (!request.complete) {
      abort.abort(appError('MALFORMED_BODY', { cause: new Error('the client went away') }));
    }
  };
  request.on('data', onData).on('close', onClose);
  const stop = (): void => {
    clearTimeout(whole);
    clearTimeout(idle);
    request.off('data', onData).off('close', onClose);
  };
  return { signal, aborted, stop };
}
