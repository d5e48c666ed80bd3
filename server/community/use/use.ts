import type { PluginState } from '../../../shared/entities/plugin.ts';
import { praiseOf } from '../plugins/cards/cards.ts';
import type { Db } from '../schema.ts';
import { gather } from './gather.ts';
import { type Change, changeUses, findPlugins, readUseStates, type UseState } from './store.ts';

export type AskedUse = { pluginKey: string; userId: number; change: Change };

/** Uses that go together at a time. */
const TOGETHER_MAX = 200;

/**
 * Uses plugins; those that many people use at the same moment share one commit, so a plugin that everybody likes at
 * once keeps nobody waiting for its counter.
 * @returns a function that answers the state after the use, or null for a plugin that may not be used so
 */
export function openUses(db: Db): (asked: AskedUse) => Promise<PluginState | null> {
  return gather(
    (asked: readonly AskedUse[]) => useTogether(db, asked),
    ({ pluginKey, userId }) => `${pluginKey} ${userId}`,
    TOGETHER_MAX,
  );
}

async function useTogether(db: Db, asked: readonly AskedUse[]): Promise<(PluginState | null)[]> {
  const ids = await findPlugins(db, asked);
  const uses = asked.flatMap(({ userId, change }, index) => {
    const pluginId = ids[index] ?? null;
    return pluginId === null ? [] : [{ pluginId, userId, change }];
  });
  if (uses.length === 0) return ids.map(() => null);
  await changeUses(db, uses);
  const states = (await readUseStates(db, uses)).values();
  return ids.map((id) => (id === null ? null : toState(states.next().value)));
}

function toState(state: UseState | null | undefined): PluginState | null {
  if (!state) return null;
  const { is_praised, ...rest } = state;
  return { ...rest, is_praise: praiseOf(is_praised) };
}
