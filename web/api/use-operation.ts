import {
  type UseMutationOptions,
  type UseMutationResult,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import type { FieldValues, UseFormSetError } from 'react-hook-form';
import type { Operation } from '../../shared/contract.ts';
import { showProblems } from '../ui/form-problems.ts';
import { useToast } from '../ui/toast/toast-context.ts';
import { invalidateAfter } from './affected-queries.ts';
import type { ApiError } from './api-error.ts';
import type { Payload } from './call.ts';
import { call, type DataFor, type PayloadFor } from './client.ts';
import { type Failures, useFailure } from './use-failure.ts';

/** What to send with an operation. */
export type PayloadOf<O extends Operation> = PayloadFor<O> & Payload;

/** What people are told of an operation. */
export type Told<D, V, F extends FieldValues = FieldValues> = Failures<F> & {
  /** Toast once a success is complete: what it says, the page shows. */
  done?: string | ((data: D, variables: V) => string) | undefined;
  /** Where a failure is shown: a toast, or a form with its fields. Without it the caller shows `failure`. */
  failsIn?: 'toast' | { setError: UseFormSetError<F> } | undefined;
};

type Options<D, V, C, F extends FieldValues> = Told<D, V, F> &
  Omit<UseMutationOptions<D, ApiError, V, C>, 'mutationFn' | 'onSettled'> & {
    /** For forms, whose data must stay as they were opened: nothing is read again after an error. */
    keepsDataOnError?: boolean;
    /**
     * Where another page follows, or the answer has all that the page shows: a success is complete before what it affects
     * has been read again.
     */
    readsLater?: boolean;
  };

type Attempt<D, V, C> = UseMutationResult<D, ApiError, V, C> & {
  /** What to say about the last attempt, if it failed. */
  failure: string | undefined;
};

/**
 * An operation that changes something, and all that people see of it. What it affects is read again when it is over, also
 * after an error, which may have come after the change; of several with the same `mutationKey` after the last. A success is
 * complete once that is shown.
 */
export function useOperation<O extends Operation, V = void, C = unknown, F extends FieldValues = FieldValues>(
  operation: O,
  payloadOf: (variables: V) => PayloadOf<O>,
  options?: Options<DataFor<O>, V, C, F>,
): Attempt<DataFor<O>, V, C> {
  return useOperationBy(operation, (variables: V) => call(operation, payloadOf(variables)), options);
}

/**
 * The same for what isn't one plain call: an upload with its progress, a file to save, several calls in turn, or one of
 * several operations.
 */
export function useOperationBy<D, V = void, C = unknown, F extends FieldValues = FieldValues>(
  operation: Operation | ((variables: V) => Operation),
  send: (variables: V) => Promise<D>,
  allOptions: Options<D, V, C, F> = {},
): Attempt<D, V, C> {
  const { done, failsIn, failed, errorMessages, keepsDataOnError, readsLater, ...options } = allOptions;
  const client = useQueryClient();
  const toast = useToast();
  const failureOf = useFailure({ failed, errorMessages: errorMessages });
  const { mutationKey } = options;
  /** Reads again what the operation affects; of several with the same key after the last. */
  const readAgain = async (variables: V): Promise<void> => {
    if (mutationKey && client.isMutating({ mutationKey }) > 1) return;
    await invalidateAfter(client, typeof operation === 'function' ? operation(variables) : operation);
  };
  const mutation = useMutation<D, ApiError, V, C>({
    ...options,
    mutationFn: (variables) => send(variables),
    onSuccess: async (data, variables, ...rest) => {
      await options.onSuccess?.(data, variables, ...rest);
      const isRead = readAgain(variables);
      if (!readsLater) await isRead;
      const text = typeof done === 'function' ? done(data, variables) : done;
      if (text !== undefined) toast({ kind: 'success', text });
    },
    onError: async (error, variables, ...rest) => {
      const problems = failsIn ? failureOf(error) : [];
      if (failsIn === 'toast') for (const { text } of problems) toast({ kind: 'failure', text });
      else if (failsIn) showProblems(failsIn.setError, problems);
      await options.onError?.(error, variables, ...rest);
      if (!keepsDataOnError) void readAgain(variables);
    },
  });
  const { error } = mutation;
  return { ...mutation, failure: error ? failureOf(error)[0]?.text : undefined };
}
