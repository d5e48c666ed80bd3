import type { Static } from 'typebox';
import { contract } from '../../shared/contract.ts';
import { type Answer, dataOf } from './ask.ts';

type Plugin = Static<typeof contract.readPlugin.data>;

/**
 * A plugin as it is shown, to compare it with how it was before: without what the service counts or computes by itself a
 * while after a change.
 */
export function shownPlugin(answer: Answer): Omit<Plugin, 'active_count' | 'digest' | 'size' | 'signature'> {
  const { active_count, digest, size, signature, ...shown } = dataOf(answer, contract.readPlugin.data);
  return shown;
}
