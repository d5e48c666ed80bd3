import { useLocale, useTranslations } from 'use-intl';
import { MARK_COLORS, type MarkColor, TEXT_LIMITS } from '../../../shared/constants.ts';
import type { PluginCard } from '../../../shared/entities/plugin.ts';
import { classNames } from '../../ui/class-names.ts';
import styles from './plugin-mark.module.css';

type Marked = Partial<Pick<PluginCard, 'mark' | 'plugin_mark' | 'is_deprecated'>>;
type ShownMark = { name: string; lang?: string | undefined; color: MarkColor };

/**
 * The mark of a plugin, set by administrators, such as official or verified; of a deprecated one that it is. Nothing without
 * either.
 */
export function PluginMark({ plugin, onCover = false }: { plugin: Marked; onCover?: boolean }) {
  const locale = useLocale();
  const t = useTranslations('deprecation');
  const mark = plugin.is_deprecated ? { name: t('badge'), color: 'amber' as const } : shownMark(plugin);
  if (!mark) return null;
  const { name, lang, color }: ShownMark = mark;
  return (
    <span
      className={classNames(styles.mark, styles[color], onCover && styles.onCover)}
      lang={lang === locale ? undefined : lang}
      title={name}
    >
      {name}
    </span>
  );
}

/**
 * The text of a mark. A foreign service may only send `plugin_mark`, or anything else: plain words are shown as they
 * are, other values ignored.
 */
export function shownMark({
  mark,
  plugin_mark,
}: {
  mark?: unknown;
  plugin_mark?: unknown;
}): ShownMark | null {
  if (typeof mark === 'object' && mark !== null && 'name' in mark) {
    const { name, lang, color } = { lang: undefined, color: undefined, ...mark };
    const text = words(name);
    const known = MARK_COLORS.find((one) => one === color);
    const named = typeof lang === 'string' ? lang : undefined;
    return text === null ? null : { name: text, lang: named, color: known ?? 'gray' };
  }
  const text = mark === undefined ? words(plugin_mark) : null;
  return text === null ? null : { name: text, color: 'gray' };
}

/** A text that contains a letter or digit and is no longer than a mark may be. */
function words(text: unknown): string | null {
  if (typeof text !== 'string' || !/\p{L}/u.test(text)) return null;
  const letters = [...text.trim()];
  return letters.length > TEXT_LIMITS.mark
    ? `${letters.slice(0, TEXT_LIMITS.mark).join('')}…`
    : letters.join('');
}
