import type { PublishValues, ValueName } from './publish-values.ts';
import { isSame } from './same.ts';

/** Puts what was changed since `before` onto what the plugin has become in the meantime. */
export function rebased(mine: PublishValues, before: PublishValues, now: PublishValues): PublishValues {
  const names = Object.keys(now).filter((name): name is ValueName => name in mine);
  const changed = names.filter((name) => !isSame(mine[name], before[name]));
  return { ...now, ...Object.fromEntries(changed.map((name) => [name, mine[name]])) };
}
