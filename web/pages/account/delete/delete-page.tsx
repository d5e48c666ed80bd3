import { useQuery } from '@tanstack/react-query';
import ArrowLeftIcon from 'lucide-react/icons/arrow-left';
import CheckIcon from 'lucide-react/icons/check';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import { useFormatter, useTranslations } from 'use-intl';
import { ACCOUNT_PATH, BASE_PATH } from '../../../../shared/constants.ts';
import type { UserInfo } from '../../../../shared/entities/user.ts';
import type { Holdings, OwnDeletion, PluginsAfter } from '../../../../shared/routes/account.ts';
import { queryOptionsOf } from '../../../api/queries.ts';
import { useSite } from '../../../api/site-context.ts';
import { pluginPath } from '../../../features/plugins/plugin-path.ts';
import { QueryError } from '../../../features/plugins/query-error.tsx';
import { useLastSession } from '../../../features/session/use-session.ts';
import { usePageHead } from '../../../layout/page-head.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { buttonClass } from '../../../ui/button/button-class.ts';
import { Notice } from '../../../ui/notice/notice.tsx';
import { PageHeader } from '../../../ui/page-header/page-header.tsx';
import { RadioGroup } from '../../../ui/radio-group/radio-group.tsx';
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx';
import { AccessGate } from '../../access-gate/access-gate.tsx';
import { NotFoundPage } from '../../not-found/not-found-page.tsx';
import accountStyles from '../account-section.module.css';
import { AccountSection } from '../account-section.tsx';
import { Confirm, type Done } from './confirm.tsx';
import { ExportButton } from './data-sections.tsx';
import styles from './delete-page.module.css';

/** The consequences of deleting the viewer's account, and the deletion itself. */
export function DeleteAccountPage() {
  const { own_accounts } = useSite();
  return own_accounts ? <DeleteAccount /> : <NotFoundPage />;
}

/** The user is already signed out here, but still sees what happens next. */
function DeleteAccount() {
  const t = useTranslations('account');
  const [done, setDone] = useState<Done>();
  usePageHead({ title: t('delete_page_title') });
  if (done) return <AccountClosed done={done} />;
  return (
    <AccessGate needs="user">
      <div className={accountStyles.page}>
        <PageHeader
          back={
            <Link to={ACCOUNT_PATH} className={styles.back}>
              <ArrowLeftIcon />
              {t('title')}
            </Link>
          }
          title={t('delete_page_title')}
          lead={t('delete_page_lead')}
        />
        <Consequences onDone={setDone} />
      </div>
    </AccessGate>
  );
}

function AccountClosed({ done: { delete_at } }: { done: Done }) {
  const t = useTranslations();
  const format = useFormatter();
  const when = delete_at && format.dateTime(new Date(delete_at), { dateStyle: 'long', timeStyle: 'short' });
  return (
    <div className={accountStyles.page}>
      <Notice
        as="h1"
        live="status"
        icon={<CheckIcon size={22} />}
        title={t('account.delete_done_title')}
        text={when ? t('account.delete_done_later', { when }) : t('account.delete_done_now')}
        action={
          <a className={buttonClass({ variant: 'primary' })} href={BASE_PATH}>
            {t('error.back_home')}
          </a>
        }
      />
    </div>
  );
}

const NOTHING: Holdings = {
  published: [],
  ...{ published_count: 0, unpublished_count: 0, waiting_count: 0 },
  ...{ install_count: 0, like_count: 0, report_count: 0, token_count: 0 },
};

function Consequences({ onDone }: { onDone: (done: Done) => void }) {
  const { user } = useLastSession();
  const deletion = useQuery(queryOptionsOf('readDeletion', {}));
  const holdings = useQuery(queryOptionsOf('readHoldings', {}));
  // A foreign service may not report the account's data.
  const held = holdings.data ?? (holdings.error?.status === 404 ? NOTHING : undefined);
  const failed = [deletion, ...(held ? [] : [holdings])].find(({ error, data }) => error && !data);
  if (failed?.error)
    return <QueryError error={failed.error} busy={failed.isFetching} onRetry={() => void failed.refetch()} />;
  if (!user || !deletion.data || !held) return <Skeleton shape="block" className={styles.place} />;
  return <Overview user={user} deletion={deletion.data} holdings={held} onDone={onDone} />;
}

type OverviewProps = {
  user: UserInfo;
  deletion: OwnDeletion;
  holdings: Holdings;
  onDone: (done: Done) => void;
};

function Overview({ user, deletion, holdings, onDone }: OverviewProps) {
  const t = useTranslations('account');
  const format = useFormatter();
  const [plugins, setPlugins] = useState<PluginsAfter>('keep');
  const [isAsking, setAsking] = useState(false);
  const { delay, refused_by } = deletion;
  if (refused_by)
    return (
      <AccountSection title={t('delete_title')}>
        <p role="status">
          {t(refused_by === 'LAST_OWNER' ? 'delete_refused_owner' : 'delete_refused_admin')}
        </p>
      </AccountSection>
    );
  const until = format.dateTime(new Date(Date.now() + delay), { dateStyle: 'long' });
  const { published_count, unpublished_count, waiting_count } = holdings;
  return (
    <>
      {published_count > 0 && (
        <AccountSection title={t('delete_plugins', { count: published_count })}>
          <PublishedNames holdings={holdings} />
          <RadioGroup
            label={t('delete_plugins_choice')}
            value={plugins}
            onChange={setPlugins}
            options={[
              { value: 'keep', label: t('delete_keep'), hint: t('delete_keep_hint') },
              { value: 'remove', label: t('delete_remove'), hint: t('delete_remove_hint') },
            ]}
          />
        </AccountSection>
      )}
      <AccountSection title={t('delete_rest')}>
        <dl className={styles.rows}>
          {unpublished_count + waiting_count > 0 && (
            <Row name={t('delete_unpublished', { count: unpublished_count, waiting: waiting_count })}>
              {t('delete_unpublished_text')}
            </Row>
          )}
          <Row name={t('delete_uses', { installs: holdings.install_count, likes: holdings.like_count })}>
            {t('delete_uses_text')}
          </Row>
          <Row name={t('delete_profile')}>{t('delete_profile_text')}</Row>
          {holdings.report_count > 0 && (
            <Row name={t('delete_reports', { count: holdings.report_count })}>{t('delete_reports_text')}</Row>
          )}
          <Row name={t('delete_records')}>{t('delete_records_text')}</Row>
          {holdings.token_count > 0 && (
            <Row name={t('delete_tokens', { count: holdings.token_count })}>{t('delete_tokens_text')}</Row>
          )}
          <Row name={t('delete_sessions', { count: deletion.session_count })}>
            {t('delete_sessions_text')}
          </Row>
          {deletion.linked_count > 0 && (
            <Row name={t('delete_linked', { count: deletion.linked_count })}>{t('delete_linked_text')}</Row>
          )}
        </dl>
      </AccountSection>
      <AccountSection
        title={t('delete_when')}
        lead={delay > 0 ? t('delete_when_later', { when: until }) : t('delete_when_now')}
      >
        <div className={styles.buttons}>
          <ExportButton />
          <Button variant="outline" className={styles.danger} onClick={() => setAsking(true)}>
            {t('delete_open')}
          </Button>
        </div>
      </AccountSection>
      {isAsking && (
        <Confirm
          user={user}
          deletion={deletion}
          plugins={plugins}
          onClose={() => setAsking(false)}
          onDone={onDone}
        />
      )}
    </>
  );
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles.row}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function PublishedNames({ holdings: { published, published_count } }: { holdings: Holdings }) {
  const t = useTranslations('account');
  const more = published_count - published.length;
  return (
    <ul className={styles.names}>
      {published.map(({ plugin_key, name }) => (
        <li key={plugin_key}>
          <Link to={pluginPath(plugin_key)}>{name || plugin_key}</Link>
        </li>
      ))}
      {more > 0 && <li>{t('delete_more', { count: more })}</li>}
    </ul>
  );
}
