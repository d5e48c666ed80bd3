import type { QueryClient } from '@tanstack/react-query';
import type { Answered, Boot, FailedAnswer } from '../../shared/boot.ts';
import { apiError } from './api-error.ts';
import { isPaged } from './client.ts';
import { queryKeyOf } from './queries.ts';
import { SESSION_KEY } from './query-client.ts';

/** Puts what came with the page into the cache, failures too, so that both sides render the same first view. */
export function fillCache(client: QueryClient, boot: Pick<Boot, 'answered' | 'session'>, now: number): void {
  if (boot.session) client.setQueryData(SESSION_KEY, boot.session, { updatedAt: now });
  for (const answer of boot.answered) {
    const queryKey = keyOf(answer);
    if (answer.ok) client.setQueryData(queryKey, dataOf(answer), { updatedAt: now });
    else setFailure(client, queryKey, answer, now);
  }
}

function keyOf({ operation, payload }: Answered): readonly unknown[] {
  const key = queryKeyOf(operation, payload);
  return isPaged(operation) ? [...key, 'pages'] : key;
}

function dataOf({ operation, data }: Answered & { ok: true }): unknown {
  return isPaged(operation) ? { pages: [data], pageParams: [null] } : data;
}

function setFailure(
  client: QueryClient,
  queryKey: readonly unknown[],
  { status, code, told }: FailedAnswer,
  now: number,
): void {
  const error = apiError(typeof code === 'number' ? { status, code, told } : { status, reason: code });
  client
    .getQueryCache()
    .build(client, { queryKey })
    .setState({ status: 'error', error, errorUpdateCount: 1, errorUpdatedAt: now });
}
