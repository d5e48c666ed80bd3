import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { LinkedSignIn } from '../../../shared/routes/linked-sign-in.ts';
import { queryOptionsOf } from '../../api/queries.ts';
import { useSite } from '../../api/site-context.ts';
import { QueryError } from '../../features/plugins/query-error.tsx';
import { usePageHead } from '../../layout/page-head.tsx';
import { Button } from '../../ui/button/button.tsx';
import { FramedRows } from '../../ui/framed-rows/framed-rows.tsx';
import { ErrorNotice } from '../../ui/notice/notice.tsx';
import { PageHeader } from '../../ui/page-header/page-header.tsx';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import { AccessGate } from '../access-gate/access-gate.tsx';
import { NotFoundPage } from '../not-found/not-found-page.tsx';
import styles from './account-section.module.css';
import { AccountSection } from './account-section.tsx';
import { AddressSection } from './address-section.tsx';
import { ChangeForm } from './change-form.tsx';
import { ConnectedToolsSection } from './connected-tools.tsx';
import { DeleteSection, ExportSection } from './delete/data-sections.tsx';
import { EnterprisesSection } from './enterprises-section.tsx';
import { LinkedRow, UnlinkDialog } from './linked-accounts.tsx';
import { MailsSection } from './mails-section.tsx';
import { ProfileSection } from './profile-section.tsx';
import secondFactorSectionStyles from './second-factor/second-factor-section.module.css';
import { TurnOn } from './second-factor/turn-on.tsx';
import { TurnedOn } from './second-factor/turned-on.tsx';
import { SessionList } from './session-list.tsx';
import sessionsStyles from './sessions.module.css';

/** The viewer's profile, sign-in settings, sessions and data; absent where accounts aren't local. */
export function AccountPage() {
  const { own_accounts } = useSite();
  return own_accounts ? <OwnAccount /> : <NotFoundPage />;
}

function OwnAccount() {
  const t = useTranslations('account');
  usePageHead({ title: t('title') });
  return (
    <AccessGate needs="user">
      <div className={styles.page}>
        <PageHeader title={t('title')} lead={t('lead')} />
        <Sections />
      </div>
    </AccessGate>
  );
}

/** All sections are asked for at once; none is shown before those above have their height, or it would move. */
function Sections() {
  const loading = [
    false,
    useQuery(queryOptionsOf('readAddress', {})).isPending,
    useQuery(queryOptionsOf('readPasswordState', {})).isPending,
    useQuery(queryOptionsOf('readSecondFactor', {})).isPending,
    useQuery(queryOptionsOf('listLinkedSignIns', {})).isPending,
    useQuery(queryOptionsOf('listOwnEnterprises', {})).isPending,
    useQuery(queryOptionsOf('listOwnSessions', {})).isPending,
    useQuery(queryOptionsOf('listConnectedTools', {})).isPending,
    useQuery(queryOptionsOf('readMailPreferences', {})).isPending,
  ];
  const sections = [
    <ProfileSection key="profile" />,
    <AddressSection key="address" />,
    <PasswordSection key="password" />,
    <SecondFactorSection key="second-factor" />,
    <LinkedSection key="linked" />,
    <EnterprisesSection key="enterprises" />,
    <SessionsSection key="sessions" />,
    <ConnectedToolsSection key="tools" />,
    <MailsSection key="mails" />,
    <ExportSection key="export" />,
    <DeleteSection key="delete" />,
  ];
  const first = loading.indexOf(true);
  return first < 0 ? sections : sections.slice(0, first + 1);
}

function SessionsSection() {
  const t = useTranslations('account');
  const { data, error, isFetching, refetch } = useQuery(queryOptionsOf('listOwnSessions', {}));
  return (
    <AccountSection title={t('session_title')} lead={t('session_lead')}>
      {!data && !error && <Skeleton shape="block" className={sessionsStyles.place} />}
      {!data && error && <QueryError error={error} busy={isFetching} onRetry={() => void refetch()} />}
      {data && <SessionList sessions={data.session_list} />}
    </AccountSection>
  );
}

/** The viewer's local password, if they have one. */
function PasswordSection() {
  const t = useTranslations('account');
  const { data, isError, isFetching, refetch } = useQuery(queryOptionsOf('readPasswordState', {}));
  const lead = data && t(data.has_password ? 'password_lead' : 'password_elsewhere');
  return (
    <AccountSection title={t('password_title')} lead={lead}>
      {data?.has_password && <ChangeForm min={data.password_min} />}
      {!data && !isError && <Skeleton className={styles.placeholder} />}
      {!data && isError && (
        <div className={styles.failed}>
          <span role="alert">{t('password_failed')}</span>
          <Button size="s" busy={isFetching} onClick={() => void refetch()}>
            {t('password_retry')}
          </Button>
        </div>
      )}
    </AccountSection>
  );
}

/** The viewer's linked accounts with unlinking; hidden without any. */
function LinkedSection() {
  const t = useTranslations('account');
  const { data, error, isFetching, refetch } = useQuery(queryOptionsOf('listLinkedSignIns', {}));
  const [unlinking, setUnlinking] = useState<LinkedSignIn>();
  if (!error && (data === undefined || data.linked_list.length === 0)) return null;
  return (
    <AccountSection title={t('linked_title')} lead={t('linked_lead')}>
      {!data && error && <QueryError error={error} busy={isFetching} onRetry={() => void refetch()} />}
      {data && (
        <FramedRows>
          {data.linked_list.map((linked) => (
            <LinkedRow key={linked.link_id} linked={linked} onUnlink={() => setUnlinking(linked)} />
          ))}
        </FramedRows>
      )}
      {data && unlinking && (
        <UnlinkDialog linked={unlinking} proof={data.proof} onClose={() => setUnlinking(undefined)} />
      )}
    </AccountSection>
  );
}

/** The viewer's second factor: on or off, with its settings. */
function SecondFactorSection() {
  const t = useTranslations('account');
  const list = useTranslations('list');
  const { data, error, isFetching, refetch } = useQuery(queryOptionsOf('readSecondFactor', {}));
  return (
    <AccountSection title={t('second_factor_title')} lead={t('second_factor_lead')}>
      {!data && !error && <Skeleton shape="block" className={secondFactorSectionStyles.place} />}
      {!data && error && (
        <ErrorNotice
          title={list('error_title')}
          text={list('error_text')}
          retryLabel={list('retry')}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {data && data.since !== null && <TurnedOn state={data} since={data.since} />}
      {data &&
        data.since === null &&
        (data.is_elsewhere ? <p>{t('second_factor_elsewhere')}</p> : <TurnOn confirm={data.confirm} />)}
    </AccountSection>
  );
}
