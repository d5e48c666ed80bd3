import type { FastifyInstance } from 'fastify';
import { contract } from '../../../../shared/contract.ts';
import { FALLBACK_LANGUAGE, type Language, type Texts, textIn } from '../../../../shared/languages.ts';
import type { BodyOf } from '../../../../shared/route.ts';
import type { OwnDeprecation } from '../../../../shared/routes/own.ts';
import { appError } from '../../../http/errors.ts';
import { implement } from '../../../http/implement.ts';
import { languageOf } from '../../language.ts';
import { recordChange } from '../../people/audit-log/store.ts';
import { type Caller, callerOf } from '../../people/auth/caller.ts';
import { insertNotices, noticeNames } from '../../people/notices/store.ts';
import { isPublisher } from '../../people/policy.ts';
import { plainTexts, refusedAt } from '../../plain-text.ts';
import type { Db } from '../../schema.ts';
import { findEditablePlugin } from '../plugins/access.ts';
import { type LockedPlugin, lockPlugin } from '../plugins/store.ts';
import { toSuccessor } from './deprecated.ts';
import { endDeprecation, findSuccessor, readOwnDeprecation, setDeprecated } from './store.ts';

type Asked = BodyOf<typeof contract.deprecatePlugin>;
type Editor = { caller: Caller; at: Date };

/**
 * Deprecates a plugin, changes what is said of it, or takes that back; a repeated call changes nothing. Publishers are told of
 * what an administrator does; users are told in the background.
 * @throws PLUGIN_NOT_FOUND, FORBIDDEN; VALIDATION_FAILED for a successor that is not listed, is deprecated or the plugin itself
 */
async function deprecate(db: Db, asked: Asked, { caller, at }: Editor): Promise<void> {
  const { plugin_key: pluginKey, is_deprecated: isDeprecated, successor_key: successorKey = null } = asked;
  await findEditablePlugin(db, pluginKey, caller);
  const texts = plainTexts(asked.text ?? {}, '/text');
  await db.transaction().execute(async (trx) => {
    const plugin = await lockPlugin(trx, pluginKey);
    if (!plugin) throw appError('PLUGIN_NOT_FOUND');
    const target = { pluginKey, plugin };
    if (!isDeprecated) {
      if (await endDeprecation(trx, plugin.id, at))
        await record(trx, target, { caller, action: 'plugin.undeprecate' });
      return;
    }
    const successorId = successorKey === null ? null : await successorOf(trx, plugin, successorKey);
    const outcome = await setDeprecated(trx, plugin.id, { successorId, texts }, at);
    if (!outcome) return;
    await record(trx, target, { caller, action: 'plugin.deprecate', successorKey, texts });
    if (outcome === 'began' && !isPublisher(caller, plugin)) await notifyPublisher(trx, target, texts, at);
  });
}

async function successorOf(trx: Db, plugin: LockedPlugin, successorKey: string): Promise<number> {
  const id = await findSuccessor(trx, successorKey);
  if (id === undefined || id === plugin.id)
    throw refusedAt('/successor_key', 'must be another listed plugin that is not deprecated');
  return id;
}

type Target = { pluginKey: string; plugin: LockedPlugin };

function record(
  trx: Db,
  { pluginKey, plugin }: Target,
  {
    caller,
    action,
    successorKey = null,
    texts = {},
  }: { caller: Caller; action: string; successorKey?: string | null; texts?: Texts },
) {
  const { text } = textIn(texts, FALLBACK_LANGUAGE, FALLBACK_LANGUAGE);
  return recordChange(trx, caller, {
    action,
    targetKind: 'plugin',
    targetId: pluginKey,
    targetName: plugin,
    detail: {
      ...(successorKey !== null && { successor: successorKey }),
      ...(text !== '' && { reason: text }),
    },
  });
}

async function notifyPublisher(
  trx: Db,
  { pluginKey, plugin }: Target,
  texts: Texts,
  at: Date,
): Promise<void> {
  const data = { plugin_key: pluginKey, ...noticeNames(plugin), texts };
  await insertNotices(trx, [{ userId: plugin.publisher_id, kind: 'plugin_deprecated', data }], at);
}

/** @throws PLUGIN_NOT_FOUND, FORBIDDEN */
async function readOwn(
  db: Db,
  pluginKey: string,
  { caller, language }: { caller: Caller; language: Language },
): Promise<OwnDeprecation> {
  const { id } = await findEditablePlugin(db, pluginKey, caller);
  const found = await readOwnDeprecation(db, id);
  if (!found) throw appError('PLUGIN_NOT_FOUND');
  return {
    plugin_key: pluginKey,
    is_deprecated: found.is_deprecated,
    successor: found.successor && toSuccessor(found.successor, language),
    text: found.texts,
  };
}

/** Deprecation of plugins by their publishers and administrators. */
export function deprecationRoutes(app: FastifyInstance): void {
  const { db, clock: now } = app;
  implement(app, contract.readDeprecation, ({ query, request }) =>
    readOwn(db, query.plugin_key, { caller: callerOf(request), language: languageOf(request) }),
  );
  implement(app, contract.deprecatePlugin, async ({ body, request }) => {
    const caller = callerOf(request);
    await deprecate(db, body, { caller, at: new Date(now()) });
    return readOwn(db, body.plugin_key, { caller, language: languageOf(request) });
  });
}
