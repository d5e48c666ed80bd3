import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TObject } from 'typebox';
import { COMMUNITY_TIMEOUT } from '../../../../shared/constants.ts';
import { isLanguage } from '../../../../shared/languages.ts';
import type { BodyOf, DataOf, QueryOf, Route } from '../../../../shared/route.ts';
import { appError } from '../../../http/errors.ts';
import { fastifyPath, schemaOf } from '../../../http/implement.ts';
import { discardBody } from '../../../http/refuse.ts';
import { languageOf } from '../../language.ts';
import { parseFields, type ReadPlainText } from './parse-fields.ts';
import { type FileRules, type FilesOf, readParts, type Timeouts, uploadsFolder } from './uploads.ts';

/** A route of the contract whose body is a form. */
type FormRoute = Route & { multipart: true; body: TObject };

export type FormOptions<Rules extends FileRules> = {
  /** Folder of the temporary files. */
  dataDir: string;
  /** The file parts by name. */
  files: Rules;
  /** Schema keywords, such as maxLength, that the handler checks with errors of its own. */
  checkedByHandler?: readonly string[];
  /**
   * Chooses the language of a plain text in a multilingual field; by default that of the field `default_lang`, or else
   * the request's language.
   */
  plainTexts?: (raw: ReadonlyMap<string, unknown>, request: FastifyRequest) => Promise<ReadPlainText>;
  timeouts?: Timeouts;
};

/** Arguments of a form handler: validated fields, and files that are deleted after the response. */
export type FormCall<R extends FormRoute, Rules extends FileRules> = {
  fields: BodyOf<R>;
  files: FilesOf<Rules>;
  query: QueryOf<R>;
  request: FastifyRequest;
  /** Aborts when the client disconnects before the response. */
  signal: AbortSignal;
};

const TIMEOUTS: Timeouts = { idle: 60_000, whole: COMMUNITY_TIMEOUT };

/**
 * Registers a multipart route of the contract. Access is checked before the body is read. Unknown, repeated and too
 * large parts are all reported in one response, which a client that is still sending can read.
 */
export function implementForm<R extends FormRoute, Rules extends FileRules>(
  app: FastifyInstance,
  route: R,
  { dataDir, files: rules, checkedByHandler, plainTexts, timeouts = TIMEOUTS }: FormOptions<Rules>,
  handler: (call: FormCall<R, Rules>) => Promise<DataOf<R>>,
): void {
  async function handle(request: FastifyRequest, reply: FastifyReply): Promise<DataOf<R>> {
    if (!request.isMultipart()) throw appError('UNSUPPORTED_MEDIA_TYPE');
    const folder = join(uploadsFolder(dataDir), randomUUID());
    try {
      const raw = await readParts(request, { schema: route.body, rules, folder, timeouts });
      const plainText = await (plainTexts ?? inDefaultLanguage)(raw.fields, request);
      const fields = parseFields(route.body, raw.fields, { plainText, checkedByHandler });
      return await handler({
        // Fastify cannot carry the contract's types through a generic; the schemas have just checked them.
        fields: fields as BodyOf<R>,
        files: raw.files as FilesOf<Rules>,
        query: request.query as QueryOf<R>,
        request,
        signal: disconnectSignal(reply),
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    await scope.register(multipart, { throwFileSizeLimit: false });
    scope.route({
      method: route.method,
      url: fastifyPath(route.path),
      schema: schemaOf(route),
      config: { route },
      onError: async (request) => discardBody(request.raw),
      handler: async (request, reply) => {
        const data = await handle(request, reply);
        return { code: route.successCode ?? 0, message: 'ok', data };
      },
    });
  });
}

function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const abort = new AbortController();
  const cause = new Error('the client disconnected');
  raw.once('close', () => {
    if (!raw.writableFinished) abort.abort(appError('MALFORMED_BODY', { cause }));
  });
  return abort.signal;
}

async function inDefaultLanguage(
  raw: ReadonlyMap<string, unknown>,
  request: FastifyRequest,
): Promise<ReadPlainText> {
  const given = raw.get('default_lang');
  const language = typeof given === 'string' && isLanguage(given) ? given : languageOf(request);
  return (_field, text) => ({ [language]: text });
}
