import type { Source } from '../../../../shared/constants.ts';
import type { Caller } from '../../people/auth/caller.ts';

/** Where somebody came from: a tool is known by its token, others say it themselves. */
export function sourceOf(caller: Caller | null, said: Source | undefined): Source {
  return caller?.scopes ? 'tool' : (said ?? 'direct');
}
