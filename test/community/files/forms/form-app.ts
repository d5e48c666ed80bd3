import { readdir } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { Type } from 'typebox';
import { type FormOptions, implementForm } from '../../../../server/community/files/forms/implement-form.ts';
import {
  type FileRules,
  type UploadedFile,
  uploadsFolder,
} from '../../../../server/community/files/forms/uploads.ts';
import { createApp } from '../../../../server/http/app.ts';
import { appError } from '../../../../server/http/errors.ts';
import { authorizeRoutes } from '../../../../server/http/implement.ts';
import { TextsSchema } from '../../../../shared/entities/base.ts';
import { route } from '../../../../shared/route.ts';
import { testFolder } from '../../../support/community.ts';

/** A form with one field and file of every kind. */
export const formRoute = route({
  service: 'community',
  method: 'POST',
  path: '/form',
  access: 'user',
  summary: 'A form',
  multipart: true,
  query: Type.Object({ dry_run: Type.Optional(Type.Literal(1)) }),
  body: Type.Object({
    default_lang: Type.Optional(Type.Enum(['zh-CN', 'en-US'])),
    name: Type.Optional(TextsSchema(10)),
    note: Type.Optional(Type.String({ maxLength: 100_000 })),
    number: Type.Optional(Type.Integer({ minimum: 1 })),
    is_on: Type.Optional(Type.Boolean()),
    list: Type.Optional(Type.Array(Type.Object({ key: Type.String() }), { maxItems: 2 })),
  }),
  data: Type.Any(),
});

export const formFiles = {
  one: { count: 1, bytes: 1024 * 1024, tooLarge: 'IMAGE_TOO_LARGE' },
  few: { count: 3, bytes: 1024, tooLarge: 'VIDEO_TOO_LARGE', tooMany: 'TOO_MANY_MEDIA' },
} as const satisfies FileRules;

type Seen = { fields: unknown; files: Record<string, UploadedFile[]>; query: unknown };

/** The part of a tap test that is used here. */
interface Teardown {
  teardown(handler: () => Promise<void>): void;
}

/** Serves the form; `see` is what the handler does with it. */
export async function serveForm(
  t: Teardown,
  see: (seen: Seen) => unknown = () => ({}),
  options: Partial<FormOptions<typeof formFiles>> = {},
) {
  const dataDir = options.dataDir ?? (await testFolder(t));
  const app = createApp({ log: pino({ level: 'silent' }) });
  authorizeRoutes(app, async (_route, { headers }) => {
    if (headers.authorization === undefined) throw appError('UNAUTHENTICATED');
  });
  implementForm(app, formRoute, { dataDir, files: formFiles, ...options }, async (call) =>
    see({ fields: call.fields, files: call.files, query: call.query }),
  );
  t.teardown(() => app.close());
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const left = () => readdir(uploadsFolder(dataDir)).catch(() => []);
  const send = async (body: FormData, query = '', headers: Record<string, string> = {}) => {
    const response = await fetch(`http://127.0.0.1:${port}/form${query}`, {
      method: 'POST',
      headers: { authorization: 'Bearer x', ...headers },
      body,
    });
    return { status: response.status, json: await response.json() };
  };
  return { app, port, dataDir, left, send };
}

/** A form with the fields and files of an object; a Blob is a file. */
export function formOf(parts: Record<string, string | Blob | (string | Blob)[]>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(parts)) {
    for (const one of [value].flat()) {
      if (typeof one === 'string') form.append(name, one);
      else form.append(name, one, one instanceof File ? one.name : `${name}.bin`);
    }
  }
  return form;
}
