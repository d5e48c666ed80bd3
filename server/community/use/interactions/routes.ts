import type { FastifyInstance } from 'fastify';
import { PRAISE_LIKE } from '../../../../shared/constants.ts';
import { contract } from '../../../../shared/contract.ts';
import type { PluginState } from '../../../../shared/entities/plugin.ts';
import type { BodyOf } from '../../../../shared/route.ts';
import { appError } from '../../../http/errors.ts';
import { implement } from '../../../http/implement.ts';
import { sourceOf } from '../../catalogue/insights/source.ts';
import {
  checkSeenVersion,
  type InstallationReader,
  readInstallations,
} from '../../catalogue/installations/installations.ts';
import { updatePolicyNow } from '../../catalogue/installations/update-age.ts';
import { praiseOf } from '../../catalogue/plugins/cards.ts';
import { languageOf } from '../../language.ts';
import { callerOf } from '../../people/auth/caller.ts';
import type { Db } from '../../schema.ts';
import { coalesce } from './batches.ts';
import {
  changeInteractions,
  changeUnlessLocked,
  type Interaction,
  type InteractionState,
  readStates,
} from './store.ts';

/** Interactions per statement. */
const BATCH_MAX = 200;

/** Installs and likes (R 4.1), which are idempotent. */
export function interactionsRoutes(app: FastifyInstance): void {
  const { db } = app;
  // Concurrent interactions share one commit. A plugin whose counter is locked has a queue of its own until it is free.
  const interact = coalesce(
    (interactions: readonly Interaction[], isShared) =>
      interactAll(db, interactions, isShared ? changeUnlessLocked : changeInteractions),
    {
      queueOf: ({ pluginKey }) => pluginKey,
      keyOf: ({ userId }) => String(userId),
      sizeMax: BATCH_MAX,
    },
  );
  const change = async (interaction: Interaction): Promise<PluginState> => {
    const state = await interact(interaction);
    if (!state) throw appError('PLUGIN_NOT_FOUND');
    return state;
  };
  implement(app, contract.installPlugin, async ({ body, request }) => {
    const target = { pluginKey: body.plugin_key, userId: callerOf(request).user_id, version: body.version };
    await checkSeenVersion(db, target);
    return change({ ...target, change: 'install', source: sourceOf(callerOf(request), body.source) });
  });
  implement(app, contract.uninstallPlugin, async ({ body, request }) => {
    const target = { pluginKey: body.plugin_key, userId: callerOf(request).user_id };
    const found = await readInstalled(db, target, {
      language: languageOf(request),
      updates: updatePolicyNow(app),
    });
    return change({ ...target, change: 'uninstall', version: found?.installation.version || undefined });
  });
  implement(app, contract.moveToSuccessor, ({ body, request }) =>
    moveToSuccessor(db, body, {
      userId: callerOf(request).user_id,
      language: languageOf(request),
      updates: updatePolicyNow(app),
    }),
  );
  implement(app, contract.praisePlugin, ({ body, request }) =>
    change({
      pluginKey: body.plugin_key,
      userId: callerOf(request).user_id,
      change: body.praise === PRAISE_LIKE ? 'like' : 'unlike',
    }),
  );
}

async function readInstalled(
  db: Db,
  { userId, pluginKey }: { userId: number; pluginKey: string },
  reader: InstallationReader,
) {
  return (await readInstallations(db, userId, { key: pluginKey }, reader)).values().next().value;
}

/**
 * Replaces an installed plugin by its successor, both or nothing.
 * @throws PLUGIN_NOT_FOUND for a plugin that the caller has not installed; CONFLICT if it has not this successor, or the
 * published version of the successor has more rights than the seen one
 */
async function moveToSuccessor(
  db: Db,
  { plugin_key: pluginKey, successor_key: successorKey, version }: BodyOf<typeof contract.moveToSuccessor>,
  { userId, ...reader }: { userId: number } & InstallationReader,
): Promise<PluginState> {
  const found = await readInstalled(db, { userId, pluginKey }, reader);
  if (!found || found.installation.trial) throw appError('PLUGIN_NOT_FOUND');
  if (found.installation.deprecation?.successor?.plugin_key !== successorKey) throw appError('CONFLICT');
  await checkSeenVersion(db, { userId, pluginKey: successorKey, version });
  const changes: Interaction[] = [
    { userId, pluginKey: successorKey, change: 'install', version },
    { userId, pluginKey, change: 'uninstall', version: found.installation.version || undefined },
  ];
  const [state] = await db.transaction().execute(async (trx) => {
    const states = await interactAll(trx, changes, changeInteractions);
    if (states.includes(null)) throw appError('CONFLICT');
    return states;
  });
  if (!state) throw appError('CONFLICT');
  return state;
}

/** @returns the states after the changes, null for a plugin that the user may not interact with */
async function interactAll(
  db: Db,
  interactions: readonly Interaction[],
  change: typeof changeInteractions,
): Promise<(PluginState | null)[]> {
  const ids = await change(db, interactions);
  const pairs = interactions.flatMap(({ userId }, index) => {
    const pluginId = ids[index] ?? null;
    return pluginId === null ? [] : [{ pluginId, userId }];
  });
  const states = (pairs.length > 0 ? await readStates(db, pairs) : []).values();
  return ids.map((id) => (id === null ? null : toState(states.next().value)));
}

function toState(state: InteractionState | null | undefined): PluginState | null {
  if (!state) return null;
  const { is_liked, ...rest } = state;
  return { ...rest, is_praise: praiseOf(is_liked) };
}
