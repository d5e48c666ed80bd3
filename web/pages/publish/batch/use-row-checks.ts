import { useEffect, useEffectEvent, useRef } from 'react';
import type { BatchResult } from '../../../../shared/entities/review.ts';
import { type ApiError, isApiError } from '../../../api/api-error.ts';
import { isCancelled } from '../../../api/call.ts';
import { upload } from '../../../api/upload.ts';
import { batchPayloadOf, groupsOf } from './batch-groups.ts';
import { type BatchRow, type DryRun, type DryRunResult, isPending, keyOf } from './batch-row.ts';
import { type BatchState, setDryRunResults } from './batch-state.ts';

/** Debounce in milliseconds before a dry run. */
const PAUSE_MS = 600;

/** A signal that is aborted on unmount. */
export function useLifetime(): () => AbortSignal {
  const running = useRef(new AbortController());
  useEffect(() => {
    running.current = new AbortController();
    const { current } = running;
    return () => current.abort();
  }, []);
  return () => running.current.signal;
}

type Options = {
  rows: readonly BatchRow[];
  isBusy: boolean;
  change: (next: (now: BatchState) => BatchState) => void;
};

/** Runs dry runs of rows, again after each change. */
export function useRowChecks({ rows, isBusy, change }: Options): void {
  const lifetime = useLifetime();
  const changed = rows.filter((row) => isPending(row) && row.match && row.verdict?.key !== keyOf(row));
  const isIdle = isBusy || changed.length === 0;
  const changes = JSON.stringify(changed.map((row) => [row.id, keyOf(row)]));
  const ask = useEffectEvent(() => {
    change((now) =>
      setDryRunResults(
        now,
        verdictsOf(changed, () => ({ state: 'pending' })),
      ),
    );
    void checked(changed, lifetime(), (results) => change((now) => setDryRunResults(now, results)));
  });
  useEffect(() => {
    if (isIdle) return;
    const timer = setTimeout(ask, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [changes, isIdle]);
}

function verdictsOf(
  rows: readonly BatchRow[],
  of: (row: BatchRow, index: number) => DryRun,
): ReadonlyMap<number, DryRunResult> {
  return new Map(rows.map((row, index) => [row.id, { key: keyOf(row), ...of(row, index) }]));
}

/** An error of one group would repeat for the next, so a rate limit isn't hit again. */
async function checked(
  rows: readonly BatchRow[],
  signal: AbortSignal,
  onResults: (results: ReadonlyMap<number, DryRunResult>) => void,
): Promise<void> {
  let error: ApiError | undefined;
  for (const group of groupsOf(rows)) {
    const answer = error ?? (await dryRun(group, signal));
    if (signal.aborted) return;
    if (isApiError(answer)) error = answer;
    const results = isApiError(answer) ? [] : answer;
    const failure = { error, at: Date.now() };
    onResults(
      verdictsOf(group, (_row, index) => {
        const result = results[index];
        return result ? { state: 'checked', result } : { state: 'failed', failure };
      }),
    );
  }
}

async function dryRun(
  group: readonly BatchRow[],
  signal: AbortSignal,
): Promise<readonly BatchResult[] | ApiError> {
  try {
    const answer = await upload('uploadBatch', batchPayloadOf(group), { signal, query: { dry_run: 1 } });
    return isCancelled(answer) ? [] : answer.results;
  } catch (error) {
    if (!isApiError(error)) throw error;
    return error;
  }
}
