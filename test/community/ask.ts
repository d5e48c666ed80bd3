import type { Static, TSchema } from 'typebox';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { PluginPage } from '../../shared/entities/plugin.ts';

/** A call over real HTTP. */
export interface Ask {
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
}

export interface Answer {
  status: number;
  headers: Headers;
  json: unknown;
}

export async function ask(url: string, path: string, { method, headers, body }: Ask = {}): Promise<Answer> {
  const response = await fetch(`${url}/api/cmt/${path}`, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, json: text === '' ? null : JSON.parse(text) };
}

const Envelope = Type.Object({
  code: Type.Union([Type.Literal(0), Type.Literal(200)]),
  message: Type.Literal('ok'),
  data: Type.Unknown(),
});

/** The data of a successful answer, proven by a schema of the contract. */
export function dataOf<S extends TSchema>(answer: Answer, schema: S): Static<S> {
  const { status, json } = answer;
  if (status !== 200 || !Value.Check(Envelope, json)) {
    throw new Error(`${status} ${JSON.stringify(json).slice(0, 300)}`);
  }
  const { data } = json;
  if (Value.Check(schema, data)) return data;
  throw new Error(
    Value.Errors(schema, data)
      .map((flaw) => `${flaw.instancePath} ${flaw.message}`)
      .join('; '),
  );
}

export function keysOf(page: Pick<PluginPage, 'plugin_list'>): string[] {
  return page.plugin_list.map((plugin) => plugin.plugin_key);
}
