import { type UseMutationOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Operation } from '../../shared/contract.ts';
import { invalidateAfter } from './affected-queries.ts';
import type { ApiError } from './api-error.ts';
import type { Payload } from './call.ts';
import { call, type DataFor, type PayloadFor } from './client.ts';

/** An operation and what to send with it. */
export type Request<O extends Operation> = readonly [O, PayloadFor<O> & Payload];

type Options<O extends Operation, V, C> = Omit<
  UseMutationOptions<DataFor<O>, ApiError, V, C>,
  'mutationFn' | 'onSettled'
> & {
  /** For forms, whose data must stay as they were opened: nothing is read again after an error. */
  keepsDataOnError?: boolean;
};

/**
 * An operation that changes something. What it affects is read again when it is over, also after an error, which may have
 * come after the change; of several with the same `mutationKey` after the last. A success is complete once that is shown.
 */
export function useOperation<O extends Operation, V = void, C = unknown>(
  requestOf: (variables: V) => Request<O>,
  { keepsDataOnError = false, ...options }: Options<O, V, C> = {},
) {
  const client = useQueryClient();
  const { mutationKey } = options;
  return useMutation<DataFor<O>, ApiError, V, C>({
    ...options,
    mutationFn: (variables) => call(...requestOf(variables)),
    onSettled: async (_data, error, variables) => {
      if (error && keepsDataOnError) return;
      if (mutationKey && client.isMutating({ mutationKey }) > 1) return;
      const [operation] = requestOf(variables);
      const isRead = invalidateAfter(client, operation);
      if (!error) await isRead;
    },
  });
}
