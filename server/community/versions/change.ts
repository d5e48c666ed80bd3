import type { BodyOf } from '../../../shared/route.ts';
import type { ownRoutes } from '../../../shared/routes/own.ts';
import { appError } from '../../http/errors.ts';
import { type Caller, isAdmin } from '../auth/caller.ts';
import { lockPlugin } from '../manage/store.ts';
import { findEditablePlugin } from '../own/access.ts';
import { rememberPerson } from '../people/store.ts';
import type { Db } from '../schema.ts';
import { writeTrail } from '../trail/store.ts';
import { greatestVersion } from './greatest.ts';
import { lockVersions, setCurrentVersion, setVersionHidden, type VersionStanding } from './store.ts';

type Change = BodyOf<(typeof ownRoutes)['changeVersion']>;

/**
 * Makes a version current, hides one or shows it again. The current version is never a hidden one: made current it is
 * shown, and when it is hidden the greatest of the others takes its place. What an administrator changes is in the audit
 * trail.
 * @throws PLUGIN_NOT_FOUND, FORBIDDEN, VERSION_NOT_FOUND, VERSION_NOT_PASSED, VERSION_NEEDED, VALIDATION_FAILED
 */
export async function changeVersion(db: Db, change: Change, caller: Caller): Promise<void> {
  const { is_current: isCurrent, is_hidden: isHidden } = change;
  if (isCurrent === undefined && isHidden === undefined) throw unclear('is_current or is_hidden is needed');
  if (isCurrent && isHidden) throw unclear('the current version cannot be hidden');
  const { id: pluginId } = await findEditablePlugin(db, change.plugin_key, caller);
  await db.transaction().execute(async (trx) => {
    const note = await noteTaker(trx, change.plugin_key, caller);
    const versions = await lockVersions(trx, pluginId);
    const changed = versions.find(({ version }) => version === change.version);
    if (!changed) throw appError('VERSION_NOT_FOUND');
    if (!changed.has_passed) throw appError('VERSION_NOT_PASSED');
    const hidden = isHidden ?? false;
    if (changed.is_hidden !== hidden) {
      await setVersionHidden(trx, changed.id, hidden);
      await note(hidden ? 'version.hide' : 'version.show', changed);
    }
    const current = isCurrent
      ? changed
      : isHidden && changed.is_current
        ? nextBest(versions, changed)
        : undefined;
    if (!current || current.is_current) return;
    await setCurrentVersion(trx, pluginId, current.id);
    await note('version.current', current);
  });
}

type Note = (action: string, changed: VersionStanding) => Promise<void>;

/** How the caller's changes are remembered: those of administrators in the audit trail, a publisher's own not at all. */
async function noteTaker(trx: Db, pluginKey: string, caller: Caller): Promise<Note> {
  if (!isAdmin(caller)) return async () => undefined;
  const plugin = await lockPlugin(trx, pluginKey);
  if (!plugin) throw appError('PLUGIN_NOT_FOUND');
  await rememberPerson(trx, caller);
  return (action, { version }) =>
    writeTrail(trx, {
      actorId: caller.user_id,
      action,
      targetKind: 'plugin',
      targetId: pluginKey,
      targetName: plugin.name,
      detail: { version },
    });
}

/** @throws VERSION_NEEDED */
function nextBest(versions: readonly VersionStanding[], hidden: VersionStanding): VersionStanding {
  const shown = versions.filter((other) => other !== hidden && other.has_passed && !other.is_hidden);
  const greatest = greatestVersion(shown.map(({ version }) => version));
  const found = shown.find(({ version }) => version === greatest);
  if (!found) throw appError('VERSION_NEEDED');
  return found;
}

function unclear(message: string) {
  return appError('VALIDATION_FAILED', { details: [{ pointer: '', message }] });
}
