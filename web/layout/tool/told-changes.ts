import type { Operation } from '../../../shared/contract.ts';
import type { Payload } from '../../api/call.ts';
import type { StoreMessage } from './messages.ts';

type Change = { payload: Payload; data: unknown };

const told = (type: 'installed' | 'uninstalled', ...keys: unknown[]): StoreMessage[] =>
  keys.flatMap((plugin_key) => (typeof plugin_key === 'string' ? { type, plugin_key } : []));

/** What a tool is told of an operation that succeeded. */
const CHANGES: Partial<Record<Operation, (change: Change) => StoreMessage[]>> = {
  installPlugin: ({ payload }) => told('installed', payload.plugin_key),
  uninstallPlugin: ({ payload }) => told('uninstalled', payload.plugin_key),
  acceptUpdate: ({ payload }) => told('installed', payload.plugin_key),
  moveToSuccessor: ({ payload }) => [
    ...told('installed', payload.successor_key),
    ...told('uninstalled', payload.plugin_key),
  ],
  installDefaults: ({ data }) => told('installed', ...keysOf(data)),
};

/** The messages for a tool about an operation that succeeded; none for most. */
export function toldChanges(operation: Operation, change: Change): StoreMessage[] {
  return CHANGES[operation]?.(change) ?? [];
}

function keysOf(data: unknown): readonly unknown[] {
  const isList = typeof data === 'object' && data !== null && 'plugin_keys' in data;
  return isList && Array.isArray(data.plugin_keys) ? data.plugin_keys : [];
}
