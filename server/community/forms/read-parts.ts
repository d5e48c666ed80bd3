import type { Multipart } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { TObject } from 'typebox';
import type { ErrorCode } from '../../../shared/errors.ts';
import { inMegabytes } from '../../../shared/package/limits.ts';
import { errorCode } from '../../database/start-error.ts';
import { appError, isAppError } from '../../http/errors.ts';
import { collectFaults, type FormFaults, pointerTo } from './faults.ts';
import { FIELD_BYTES_MAX, type FileRule, type FileRules, formBytesMax, type UploadedFile } from './rules.ts';
import type { Uploads } from './uploads.ts';
import { type Patience, watchUpload } from './watch.ts';

/** Fields and files as they came, every name known and no single one given twice. */
export type RawForm = { fields: Map<string, unknown>; files: UploadedFile[] };

type Reading = { schema: TObject; rules: FileRules; uploads: Uploads; patience: Patience };

/** What the parser says, where it is more than that the body cannot be read. */
const READING_CODES: Readonly<Record<string, ErrorCode>> = {
  FST_PARTS_LIMIT: 'BODY_TOO_LARGE',
  FST_FILES_LIMIT: 'BODY_TOO_LARGE',
  FST_FIELDS_LIMIT: 'BODY_TOO_LARGE',
  FST_PROTO_VIOLATION: 'VALIDATION_FAILED',
};

/** More parts of a kind than this are nobody's form, so reading ends there. */
const SURPLUS = 20;

/**
 * Reads a multipart body (RFC 7578) part by part; files go to the disk as they come.
 * @throws VALIDATION_FAILED with all unknown, doubled and over-long parts; the codes of the file rules; BODY_TOO_LARGE,
 * MALFORMED_BODY, REQUEST_TIMEOUT, STORAGE_FULL
 */
export async function readParts(request: FastifyRequest, reading: Reading): Promise<RawForm> {
  const { schema, rules } = reading;
  const bytesMax = formBytesMax(schema, rules);
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) throw appError('BODY_TOO_LARGE');
  const watch = watchUpload(request.raw, bytesMax, reading.patience);
  const parts = request.parts({ limits: limitsOf(schema, rules) });
  const form: RawForm = { fields: new Map(), files: [] };
  const faults = collectFaults();
  try {
    for (;;) {
      const next = await watch.within(parts.next());
      if (next.done) break;
      await watch.within(takePart(next.value, form, reading, faults));
    }
  } catch (error) {
    throw isAppError(error)
      ? error
      : appError(READING_CODES[errorCode(error)] ?? 'MALFORMED_BODY', { cause: error });
  } finally {
    watch.stop();
  }
  faults.refuseAny();
  return form;
}

function limitsOf(schema: TObject, rules: FileRules) {
  const fields = Object.keys(schema.properties).length + SURPLUS;
  const files = Object.values(rules).reduce((sum, { count }) => sum + count, SURPLUS);
  return {
    fields,
    files,
    parts: fields + files,
    fieldSize: FIELD_BYTES_MAX,
    fileSize: Number.POSITIVE_INFINITY,
    headerPairs: 20,
    headerSize: 4096,
  };
}

async function takePart(part: Multipart, form: RawForm, reading: Reading, faults: FormFaults): Promise<void> {
  if (part.type === 'file') return takeFile(part, form, reading, faults);
  const name = part.fieldname ?? '';
  const pointer = pointerTo(name);
  if (!Object.hasOwn(reading.schema.properties, name)) {
    faults.add('VALIDATION_FAILED', pointer, 'is not a field of this form');
  } else if (form.fields.has(name)) {
    faults.add('VALIDATION_FAILED', pointer, 'is given twice');
  } else if (part.valueTruncated) {
    faults.add('VALIDATION_FAILED', pointer, 'is too long');
  } else {
    form.fields.set(name, part.value);
  }
}

type FilePart = Extract<Multipart, { type: 'file' }>;

async function takeFile(part: FilePart, form: RawForm, reading: Reading, faults: FormFaults): Promise<void> {
  const name = part.fieldname ?? '';
  const pointer = pointerTo(name);
  const rule = Object.hasOwn(reading.rules, name) ? reading.rules[name] : undefined;
  const place = form.files.filter(({ field }) => field === name).length;
  if (!rule) faults.add('VALIDATION_FAILED', pointer, 'is not a file of this form');
  else if (place >= rule.count && rule.tooMany) faults.addFilled(rule.tooMany, pointer, rule.params ?? {});
  else if (place >= rule.count) faults.add('VALIDATION_FAILED', pointer, 'is given too often');
  if (!rule || place >= rule.count) return skip(part);

  const bytesMax = Math.min(rule.bytes, roomFor(name, rule, form));
  const { path, bytes } = await reading.uploads.keep(part.file, bytesMax);
  const filename = (part.filename ?? '').slice(0, 255);
  // A browser sends a file input that was left alone as a part without name and content.
  if (bytes === 0 && filename === '') return;
  const filePointer = rule.count > 1 ? `${pointer}/${place}` : pointer;
  if (bytes > bytesMax) {
    const size = inMegabytes(rule.together ?? rule.bytes);
    faults.addFilled(rule.tooLarge, filePointer, { size, ...rule.params });
  }
  form.files.push({ field: name, filename, path, bytes });
}

/** Bytes that are left for parts of a name. */
function roomFor(name: string, { together }: FileRule, { files }: RawForm): number {
  if (together === undefined) return Number.POSITIVE_INFINITY;
  const taken = files.filter(({ field }) => field === name).reduce((sum, { bytes }) => sum + bytes, 0);
  return Math.max(0, together - taken);
}

async function skip(part: FilePart): Promise<void> {
  for await (const chunk of part.file) void chunk;
}
