import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TObject } from 'typebox';
import { isLanguage } from '../../../shared/languages.ts';
import type { BodyOf, DataOf, QueryOf, Route } from '../../../shared/route.ts';
import { appError } from '../../http/errors.ts';
import { fastifyPath, type Guard, schemaOf } from '../../http/implement.ts';
import { linger } from '../../http/refuse.ts';
import { languageOf } from '../language.ts';
import { parseFields, type ReadPlainText } from './parse-fields.ts';
import { type RawForm, readParts, TIMEOUTS, type Timeouts } from './read-parts.ts';
import { type FileRules, type FilesOf, openUploads, type UploadedFile } from './uploads.ts';

/** A route of the contract whose body is a form. */
type FormRoute = Route & { multipart: true; body: TObject };

export type FormOptions<Rules extends FileRules> = {
  /** Folder below which files lie while their request is answered. */
  dataDir: string;
  /** The file parts there are, by name. */
  files: Rules;
  /** Keywords of the schema, such as maxLength, that the handler checks, to tell its own findings. */
  checkedByHandler?: readonly string[];
  /**
   * Settles what a plain text of a field in many languages stands for; without it, the text of the field
   * `default_lang`, or else of the request's language.
   */
  plainTexts?: (raw: ReadonlyMap<string, unknown>, request: FastifyRequest) => Promise<ReadPlainText>;
  timeouts?: Timeouts;
};

/** What the handler of a form is given: fields proven by the schema, files that are gone once it has answered. */
export type FormCall<R extends FormRoute, Rules extends FileRules> = {
  fields: BodyOf<R>;
  files: FilesOf<Rules>;
  query: QueryOf<R>;
  request: FastifyRequest;
  /** Aborts, with an answer for nobody, when the client has gone before it was answered. */
  gone: AbortSignal;
};

/**
 * Registers a multipart route of the contract. Access is decided before a byte of the body is read; file parts are
 * written to temporary files which never outlive the request; unknown, doubled and over-long parts are refused, all
 * in one answer. A client that is still sending can read its refusal.
 */
export function implementForm<R extends FormRoute, Rules extends FileRules>(
  app: FastifyInstance,
  guard: Guard,
  route: R,
  options: FormOptions<Rules>,
  handler: (call: FormCall<R, Rules>) => Promise<DataOf<R>>,
): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    await scope.register(multipart);
    scope.route({
      method: route.method,
      url: fastifyPath(route.path),
      schema: schemaOf(route),
      config: { route },
      onRequest: (request) => lingering(request, () => guard(route, request)),
      handler: async (request, reply) => {
        const data = await lingering(request, () => answer(request, reply, route, options, handler));
        return { code: route.successCode ?? 0, message: 'ok', data };
      },
    });
  });
}

async function lingering<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    linger(request.raw);
    throw error;
  }
}

async function answer<R extends FormRoute, Rules extends FileRules>(
  request: FastifyRequest,
  reply: FastifyReply,
  route: R,
  { dataDir, files: rules, checkedByHandler, plainTexts, timeouts = TIMEOUTS }: FormOptions<Rules>,
  handler: (call: FormCall<R, Rules>) => Promise<DataOf<R>>,
): Promise<DataOf<R>> {
  if (!request.isMultipart()) throw appError('UNSUPPORTED_MEDIA_TYPE');
  const uploads = openUploads(dataDir);
  try {
    const raw = await readParts(request, { schema: route.body, rules, uploads, timeouts });
    const plainText = await (plainTexts ?? inDefaultLanguage)(raw.fields, request);
    const parsed = parseFields(route.body, raw.fields, { plainText, checkedByHandler });
    return await handler({
      // Fastify cannot carry the contract's types through a generic; the schemas have just proved them.
      fields: parsed as BodyOf<R>,
      files: byName(rules, raw),
      query: request.query as QueryOf<R>,
      request,
      gone: whenGone(reply),
    });
  } finally {
    await uploads.remove();
  }
}

function whenGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const cause = new Error('the client went away');
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort(appError('MALFORMED_BODY', { cause }));
  });
  return gone.signal;
}

async function inDefaultLanguage(
  raw: ReadonlyMap<string, unknown>,
  request: FastifyRequest,
): Promise<ReadPlainText> {
  const named = raw.get('default_lang');
  const language = typeof named === 'string' && isLanguage(named) ? named : languageOf(request);
  return (_field, text) => ({ [language]: text });
}

function byName<Rules extends FileRules>(rules: Rules, { files }: RawForm): FilesOf<Rules> {
  const lists: Record<string, UploadedFile[]> = {};
  for (const name of Object.keys(rules)) lists[name] = files.filter(({ field }) => field === name);
  return lists as FilesOf<Rules>;
}
