import { useSortable } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { useTranslations } from 'use-intl';
import type { ManagedPlugin } from '../../../../shared/entities/backstage.ts';
import { Badge } from '../../../ui/badge/badge.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { GripIcon } from '../../../ui/icon/backstage-icons.tsx';
import { PlaceButton } from '../frame/place-button.tsx';
import styles from './manage.module.css';
import { PluginName } from './plugin-name.tsx';
import { useSetting } from './use-setting.ts';

/** One recommended plugin, with the handle by which it is moved. */
export function RecommendedRow({ managed }: { managed: ManagedPlugin }) {
  const t = useTranslations('manage');
  const recommend = useSetting('recommended');
  const { plugin, is_live } = managed;
  const { plugin_key, name } = plugin;
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } =
    useSortable({ id: plugin_key });
  return (
    <li
      ref={setNodeRef}
      className={classNames(styles.item, isDragging && styles.dragging)}
      style={{ transform: CSS.Translate.toString(transform), transition }}
    >
      <button
        type="button"
        ref={setActivatorNodeRef}
        className={styles.handle}
        {...attributes}
        {...listeners}
        aria-label={t('move', { name })}
      >
        <GripIcon size={18} />
      </button>
      <PlaceButton id={plugin_key} name={name} />
      <PluginName plugin={plugin} isLive={is_live} />
      <span className={styles.end}>
        {!is_live && <Badge tone="warning">{t('not_live')}</Badge>}
        <Button
          size="s"
          busy={recommend.isPending}
          aria-label={t('unrecommend_named', { name })}
          onClick={() => recommend.mutate({ plugin_key, isOn: false })}
        >
          {t('unrecommend')}
        </Button>
      </span>
    </li>
  );
}
