import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { BASE_PATH, ROLE_SUPER_ADMIN } from '../../../../shared/constants.ts';
import type { Checklist as Filled } from '../../../../shared/entities/backstage.ts';
import { queryOptionsOf } from '../../../api/queries.ts';
import { tabStorage } from '../../../api/tab-storage.ts';
import { useLastSession } from '../../../features/session/use-session.ts';
import { Button } from '../../../ui/button/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { BATCH_PATH, PUBLISH_PATH } from '../../publish/publish-paths.ts';
import styles from './checklist.module.css';
import { screenPath } from './screens.ts';

/** Set for the tab when the administrator hides the list. */
const HIDDEN_KEY = 'backstage-checklist';

type Name = Exclude<keyof Filled, 'is_new'>;
type Item = {
  name: Name;
  to?: string;
  settings?: string;
  /** What has to be there first, as nothing would show this one. */
  needs?: Name;
  more?: { text: 'plugins_import' | 'protocol_open'; to: string };
};

/** Where each item is filled in, on a screen or by settings, in the order of the work. */
const ITEMS: readonly Item[] = [
  { name: 'tags', to: screenPath('tags') },
  { name: 'plugins', to: PUBLISH_PATH, more: { text: 'plugins_import', to: BATCH_PATH } },
  { name: 'members', to: screenPath('members'), settings: 'IDENTITY_METHODS' },
  { name: 'brand', settings: 'BRAND_NAME, BRAND_COLOR, BRAND_LOGO' },
  { name: 'mail', settings: 'SMTP_URL' },
  { name: 'site_url', settings: 'SITE_URL' },
  { name: 'app_url', settings: 'APP_URL' },
  { name: 'recommended', to: `${screenPath('plugin-list')}?view=recommended` },
  { name: 'banners', to: screenPath('banner-config') },
  {
    name: 'protocol',
    settings: 'PROTOCOL_DIR',
    more: { text: 'protocol_open', to: `${BASE_PATH}protocol` },
  },
  { name: 'works', to: screenPath('community'), needs: 'site_url' },
  { name: 'qr_code', to: screenPath('qr-codes') },
  { name: 'activity', to: screenPath('community'), needs: 'site_url' },
];

const isHiddenInTab = (): boolean => tabStorage().getItem(HIDDEN_KEY) !== null;
const checklistQuery = () => ({ ...queryOptionsOf('readChecklist', {}), staleTime: 0 });

/** Whether the list has its height: what stands below it would move. */
export function useIsChecklistSettled(): boolean {
  const [isHidden] = useState(isHiddenInTab);
  const { isPending } = useQuery({ ...checklistQuery(), enabled: !isHidden });
  return isHidden || !isPending;
}

/** What is left to set up: one line once it is done or the site is a week old. Hidden while unknown. */
export function Checklist() {
  const t = useTranslations('checklist');
  const [isHidden, setHidden] = useState(isHiddenInTab);
  const { data } = useQuery({ ...checklistQuery(), enabled: !isHidden });
  const empty = ITEMS.filter(
    ({ name, needs }) => data?.[name] === false && (needs === undefined || data[needs] !== false),
  );
  if (isHidden || !data) return null;
  const hide = (): void => {
    tabStorage().setItem(HIDDEN_KEY, 'hidden');
    setHidden(true);
  };
  const lead = empty.length === 0 ? t('done') : t('lead', { count: empty.length });
  const button = (
    <Button size="s" variant="quiet" onClick={hide}>
      {t('hide')}
    </Button>
  );
  if (empty.length === 0 || !data.is_new)
    return (
      <section className={classNames(styles.checklist, styles.line)} aria-label={t('title')}>
        {empty.length === 0 ? (
          <p className={styles.text}>{lead}</p>
        ) : (
          <details className={styles.details}>
            <summary>{lead}</summary>
            <Items items={empty} />
          </details>
        )}
        {button}
      </section>
    );
  return (
    <section className={styles.checklist} aria-labelledby="checklist">
      <div className={styles.head}>
        <div>
          <h2 id="checklist" className={styles.title}>
            {t('title')}
          </h2>
          <p className={styles.text}>{lead}</p>
        </div>
        {button}
      </div>
      <Items items={empty} />
    </section>
  );
}

function Items({ items }: { items: readonly Item[] }) {
  const t = useTranslations('checklist');
  const { role } = useLastSession();
  // Screens that only some administrators have.
  const mayOpen = ({ name }: Item): boolean => name !== 'members' || role === ROLE_SUPER_ADMIN;
  return (
    <ul className={styles.items}>
      {items.map((item) => (
        <li key={item.name} className={styles.item}>
          {item.to && mayOpen(item) ? (
            <Link className={styles.name} to={item.to}>
              {t(item.name)}
            </Link>
          ) : (
            <p className={styles.name}>{t(item.name)}</p>
          )}
          <p className={styles.text}>{t(`${item.name}_text`)}</p>
          {(item.settings || item.more) && (
            <p className={styles.text}>
              {item.settings &&
                t.rich('setting', { setting: item.settings, code: (name) => <code>{name}</code> })}
              {item.more && (
                <>
                  {item.settings && ' · '}
                  <Link className={styles.link} to={item.more.to}>
                    {t(item.more.text)}
                  </Link>
                </>
              )}
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}
