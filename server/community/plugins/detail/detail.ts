import type { MediaItem, PluginDetail, PluginVersion } from '../../../../shared/entities/plugin.ts';
import { isLanguage, textIn } from '../../../../shared/languages.ts';
import { fileUrl } from '../../../../shared/media.ts';
import { appError } from '../../../http/errors.ts';
import type { Db } from '../../schema.ts';
import { type Reader, toCard } from '../cards/cards.ts';
import { readCardRows } from '../cards/store.ts';
import { findSeenPlugin } from './access.ts';
import { type MediaRow, readDetailRow, readMediaRows, readVersionRows } from './store.ts';

/** @throws PLUGIN_NOT_FOUND */
export async function readPlugin(db: Db, pluginKey: string, reader: Reader): Promise<PluginDetail> {
  const { id } = await findSeenPlugin(db, pluginKey, reader.caller);
  const [[card], detail, media] = await Promise.all([
    readCardRows(db, [id], reader.caller?.user_id ?? null),
    readDetailRow(db, id),
    readMediaRows(db, id),
  ]);
  if (!card || !detail) throw appError('PLUGIN_NOT_FOUND');
  const description = textIn(detail.descriptions, reader.language, card.default_lang);
  const isAuthor = detail.copyright_kind === 'author';
  return {
    ...toCard(card, reader.language),
    description: description.text,
    description_lang: description.lang,
    languages: Object.keys(card.names).filter(isLanguage),
    media: media.map(toMediaItem),
    panel: detail.panel,
    contact: detail.contact,
    support: detail.support,
    copyright: {
      kind: detail.copyright_kind,
      holder: isAuthor ? card.publisher.nick_name : detail.copyright_holder,
    },
    allowed_domains: detail.allowed_domains,
    package_bytes: detail.package_bytes,
    audit_status: detail.audit_status,
    created_at: detail.created_at.toISOString(),
  };
}

/** @throws PLUGIN_NOT_FOUND */
export async function listVersions(db: Db, pluginKey: string, reader: Reader): Promise<PluginVersion[]> {
  const { id, isOwn } = await findSeenPlugin(db, pluginKey, reader.caller);
  const rows = await readVersionRows(db, id, isOwn);
  return rows.map(({ note, default_lang, created_at, ...version }) => {
    const { text, lang } = textIn(note, reader.language, default_lang);
    return { ...version, note: text, lang, created_at: created_at.toISOString() };
  });
}

function toMediaItem(row: MediaRow): MediaItem {
  return row.picture
    ? { kind: 'image', picture: row.picture }
    : { kind: 'video', url: fileUrl(`${row.file_key}.${row.extension}`), mime_type: row.mime_type };
}
