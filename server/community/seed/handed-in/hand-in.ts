import type { FastifyBaseLogger } from 'fastify';
import { ROLE_USER } from '../../../../shared/constants.ts';
import { checkPackage } from '../../../../shared/package/check-package.ts';
import { isAppError } from '../../../http/errors.ts';
import type { Caller } from '../../auth/caller.ts';
import { drawCover } from '../../demo/artwork/cover.ts';
import { drawIcon } from '../../demo/artwork/icon.ts';
import type { Catalogue } from '../../demo/catalogue.ts';
import type { DemoPlugin, DemoPublisher } from '../../demo/catalogue-schema.ts';
import {
  type HandedIn,
  type HandedInChange,
  type HandedInPlugin,
  loadHandedIn,
} from '../../demo/handed-in.ts';
import { demoPackage, packageBytes } from '../../demo/package.ts';
import type { FileStore } from '../../media/files.ts';
import { openPictures } from '../../media/pictures.ts';
import { preparePackage, storeFile } from '../../media/stored-files.ts';
import type { NewVersion } from '../../publish/store.ts';
import type { Submission } from '../../publish/submission.ts';
import { submit } from '../../publish/submit.ts';
import type { Db } from '../../schema.ts';
import { DRAWN_WIDTHS } from '../paint/paintings.ts';
import { rasterise } from '../paint/rasterise.ts';
import { demoKey, demoUserId, storedListing } from '../rows.ts';
import { refuseWaiting } from './store.ts';

const HOUR = 60 * 60 * 1000;
/** Who has looked at what was refused, and how long after it came. */
const REVIEWER = 9013;
const REVIEWED_AFTER = 2 * HOUR;
const WITHOUT_LIMITS = { limits: [], quotaBytes: Number.MAX_SAFE_INTEGER };

export type HandingInDemo = { db: Db; files: FileStore; log: FastifyBaseLogger };

/**
 * Hands in what waits for review in the demo, the way publishers do: checked, stored, then written. What is there
 * already is a harmless repeat, so it may be stopped or killed at any point and begun again.
 */
export async function handInDemo(
  parts: HandingInDemo,
  catalogue: Catalogue,
  signal: AbortSignal,
): Promise<void> {
  const now = Date.now();
  for (const item of loadHandedIn(catalogue.publishers)) {
    if (signal.aborted) return;
    const at = now - item.hours_ago * HOUR;
    try {
      const submission = await submissionOf(parts, catalogue, item);
      const { plugin_key } = await submit(
        { db: parts.db, quotas: WITHOUT_LIMITS, now: () => at },
        submission,
      );
      if (item.reason === undefined) continue;
      const decision = { reason: item.reason, reviewerId: demoUserId({ user_id: REVIEWER }) };
      await refuseWaiting(parts.db, {
        ...decision,
        pluginKey: plugin_key,
        at: new Date(at + REVIEWED_AFTER),
      });
    } catch (error) {
      // Somebody has been faster with a change of his own, or has deleted the plugin.
      if (!isAppError(error)) throw error;
      parts.log.info({ code: error.code }, 'a submission of the demo was left out');
    }
  }
}

function submissionOf(parts: HandingInDemo, catalogue: Catalogue, item: HandedIn): Promise<Submission> {
  return 'plugin' in item ? newPlugin(parts, item) : changeOf(parts, catalogue, item);
}

async function newPlugin({ files }: HandingInDemo, { plugin, program }: HandedInPlugin): Promise<Submission> {
  const [first] = plugin.versions;
  if (!first) throw new TypeError(`${plugin.slug} has no version`);
  const pictures = openPictures(files);
  const drawnIcon = await rasterise(drawIcon(plugin.icon), DRAWN_WIDTHS.icon);
  const drawnCover = await rasterise(drawCover(plugin.cover), DRAWN_WIDTHS.cover);
  const icon = await pictures.keep({ content: drawnIcon, role: 'icon' });
  const cover = await pictures.keep({ content: drawnCover });
  const listing = { ...storedListing(plugin), icon_key: icon.key, cover_key: cover.key };
  const brought = await bringVersion(files, plugin, { ...first, kind: 'new' }, program);
  return {
    ...brought,
    caller: callerOf(plugin.publisher),
    pluginKey: null,
    listing: () => listing,
    externalId: plugin.slug,
    pictures: [icon, cover],
  };
}

async function changeOf(
  { files }: HandingInDemo,
  catalogue: Catalogue,
  { change, program }: HandedInChange,
): Promise<Submission> {
  const plugin = catalogue.plugins.find(({ slug }) => slug === change.slug);
  if (!plugin) throw new TypeError(`there is no plugin ${change.slug}`);
  const { version, listing } = change;
  const brought = version
    ? await bringVersion(files, plugin, version, program)
    : { version: null, files: [], findings: [] };
  return {
    ...brought,
    caller: callerOf(plugin.publisher),
    pluginKey: demoKey(plugin.slug),
    listing: (last) => ({ ...(last ?? storedListing(plugin)), ...listing }),
    pictures: [],
  };
}

/** Checks and stores the package of a version. */
async function bringVersion(
  files: FileStore,
  plugin: DemoPlugin,
  version: Pick<NewVersion, 'version' | 'kind' | 'note'>,
  program: string | undefined,
): Promise<Pick<Submission, 'version' | 'files' | 'findings'>> {
  const bytes = packageBytes(demoPackage(plugin, version, program));
  const { findings, package: read } = checkPackage(bytes);
  const file = await storeFile(files, preparePackage(bytes));
  return {
    version: {
      version: version.version,
      kind: version.kind,
      note: version.note,
      packageKey: file.key,
      packageBytes: file.bytes,
      manifest: read?.manifest ?? {},
      allowedDomains: read?.allowed_domains ?? [],
      findings,
    },
    files: [file],
    findings,
  };
}

function callerOf(publisher: DemoPublisher): Caller {
  return {
    user_id: demoUserId(publisher),
    role: ROLE_USER,
    nick_name: publisher.nick_name,
    avatar_url: '',
  };
}
