import { useTranslations } from 'use-intl';
import { ExternalIcon } from '../../../ui/icon/way-icons.tsx';
import { VisuallyHidden } from '../../../ui/visually-hidden/visually-hidden.tsx';
import { useClientContext } from '../../use-client-context.ts';
import { TargetLink } from '../target-link.tsx';
import type { Place } from '../targets/target.ts';
import { PlaceIcon } from './place-icon.tsx';
import styles from './place-list.module.css';

type Props = {
  places: readonly Place[];
  /** `tiles` stand two by two, as wide as the language needs (specification section 9). */
  layout: 'column' | 'tiles';
  onLeave: () => void;
};

/** Places with a line about each. */
export function PlaceList({ places, layout, onLeave }: Props) {
  const t = useTranslations('headerLinks');
  const { embedded } = useClientContext();
  return (
    <ul className={styles[layout]}>
      {places.map(({ name, path, newWindow }) => (
        <li key={name}>
          <TargetLink path={path} newWindow={newWindow} className={styles.place} onClick={onLeave}>
            <span className={styles.icon}>
              <PlaceIcon name={name} />
            </span>
            <span className={styles.text}>
              <span className={styles.name}>
                {t(name)}
                {newWindow && !embedded && (
                  <>
                    <ExternalIcon size={12} className={styles.external} />
                    <VisuallyHidden>{t('new_window')}</VisuallyHidden>
                  </>
                )}
              </span>
              <span className={styles.about}>{t(`${name}_about`)}</span>
            </span>
          </TargetLink>
        </li>
      ))}
    </ul>
  );
}
