import type { PluginState } from '../../../shared/entities/plugin.ts';
import { praiseOf } from '../plugins/cards/cards.ts';
import type { Db } from '../schema.ts';
import { inBatches } from './batches.ts';
import { changeInteractions, type Interaction, type InteractionState, readStates } from './store.ts';

/** Uses that go together at a time. */
const TOGETHER_MAX = 200;

/**
 * Uses plugins; those that many people use at the same moment share one commit, so a plugin that everybody likes at
 * once keeps nobody waiting for its counter.
 * @returns a function that answers the state after the use, or null for a plugin that may not be used so
 */
export function openInteractions(db: Db): (use: Interaction) => Promise<PluginState | null> {
  return inBatches(
    (uses: readonly Interaction[]) => interactTogether(db, uses),
    ({ pluginKey, userId }) => `${pluginKey} ${userId}`,
    TOGETHER_MAX,
  );
}

async function interactTogether(db: Db, uses: readonly Interaction[]): Promise<(PluginState | null)[]> {
  const ids = await changeInteractions(db, uses);
  const pairs = uses.flatMap(({ userId }, index) => {
    const pluginId = ids[index] ?? null;
    return pluginId === null ? [] : [{ pluginId, userId }];
  });
  const states = (pairs.length > 0 ? await readStates(db, pairs) : []).values();
  return ids.map((id) => (id === null ? null : toState(states.next().value)));
}

function toState(state: InteractionState | null | undefined): PluginState | null {
  if (!state) return null;
  const { is_praised, ...rest } = state;
  return { ...rest, is_praise: praiseOf(is_praised) };
}
