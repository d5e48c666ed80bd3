import type { FastifyInstance } from 'fastify';
import type { Language } from '../../../../shared/languages.ts';
import { appError } from '../../../http/errors.ts';
import { jsonObject, readUpstream } from '../../upstream.ts';

export const FEED_ENTRIES = 50;

/** Statuses of what does not exist, or not any more. */
const ABSENT = [404, 410];

/** What is needed of an answer; a compiled schema. */
type Answer<T> = { Check(value: unknown): value is T };

/**
 * Reads a public answer of the community service in a language.
 * @throws AppError UPSTREAM_*; NOT_FOUND if there is no such list or plugin
 */
export async function readAnswer<T>(
  { upstreams }: FastifyInstance,
  language: Language,
  { path, answer }: { path: string; answer: Answer<T> },
): Promise<T> {
  const { status, body } = await readUpstream(upstreams.community, {
    path,
    headers: { accept: 'application/json', 'accept-language': language },
  });
  if (ABSENT.includes(status)) throw appError('NOT_FOUND');
  const found = jsonObject(body);
  if (status !== 200 || !answer.Check(found)) throw appError('UPSTREAM_INVALID');
  return found;
}
