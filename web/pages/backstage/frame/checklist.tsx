import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { BASE_PATH } from '../../../../shared/constants.ts';
import type { Checklist as Filled } from '../../../../shared/entities/backstage.ts';
import { queryOptionsOf } from '../../../api/queries.ts';
import { tabStorage } from '../../../api/tab-storage.ts';
import { Button } from '../../../ui/button/button.tsx';
import styles from './checklist.module.css';
import { screenPath } from './screens.ts';

/** Set for the tab when the administrator hides the list. */
const HIDDEN_KEY = 'backstage-checklist';

type Item = { name: keyof Filled } & ({ to: string } | { setting: string; to?: string });

/** Where each item is filled in: on a screen, or by a setting. */
const ITEMS: readonly Item[] = [
  { name: 'tags', to: screenPath('tags') },
  { name: 'recommended', to: `${screenPath('plugin-list')}?view=recommended` },
  { name: 'banners', to: screenPath('banner-config') },
  { name: 'works', to: screenPath('community') },
  { name: 'activity', to: screenPath('community') },
  { name: 'qr_code', to: screenPath('qr-codes') },
  { name: 'protocol', setting: 'PROTOCOL_DIR', to: `${BASE_PATH}protocol` },
  { name: 'mail', setting: 'SMTP_URL' },
];

/** Empty parts of the site. Hidden when there are none or when they are unknown. */
export function Checklist() {
  const t = useTranslations('checklist');
  const [isHidden, setHidden] = useState(() => tabStorage().getItem(HIDDEN_KEY) !== null);
  const { data } = useQuery({ ...queryOptionsOf('readChecklist', {}), staleTime: 0, enabled: !isHidden });
  const empty = ITEMS.filter(({ name }) => data?.[name] === false);
  if (isHidden || empty.length === 0) return null;
  const hide = (): void => {
    tabStorage().setItem(HIDDEN_KEY, 'hidden');
    setHidden(true);
  };
  return (
    <section className={styles.checklist} aria-labelledby="checklist">
      <div className={styles.head}>
        <div>
          <h2 id="checklist" className={styles.title}>
            {t('title')}
          </h2>
          <p className={styles.text}>{t('lead', { count: empty.length })}</p>
        </div>
        <Button size="s" variant="quiet" onClick={hide}>
          {t('hide')}
        </Button>
      </div>
      <ul className={styles.items}>
        {empty.map((item) => (
          <li key={item.name} className={styles.item}>
            {'setting' in item ? (
              <p className={styles.name}>{t(item.name)}</p>
            ) : (
              <Link className={styles.name} to={item.to}>
                {t(item.name)}
              </Link>
            )}
            <p className={styles.text}>{t(`${item.name}_text`)}</p>
            {'setting' in item && (
              <p className={styles.text}>
                {t.rich('setting', { setting: item.setting, code: (name) => <code>{name}</code> })}
                {item.to && (
                  <>
                    {' · '}
                    <Link className={styles.link} to={item.to}>
                      {t('protocol_open')}
                    </Link>
                  </>
                )}
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
