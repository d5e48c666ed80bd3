import { useTranslations } from 'use-intl';
import { useSite } from '../../api/site-context.ts';
import { usePageHead } from '../../layout/page-head.tsx';
import { PageHeader } from '../../ui/page-header/page-header.tsx';
import { AccessGate } from '../access-gate.tsx';
import { NotFoundPage } from '../not-found-page.tsx';
import styles from './account-page.module.css';
import { AddressSection } from './address/address-section.tsx';
import { DeleteSection, ExportSection } from './delete/data-sections.tsx';
import { EnterprisesSection } from './enterprises/enterprises-section.tsx';
import { LinkedSection } from './linked/linked-section.tsx';
import { MailsSection } from './mails/mails-section.tsx';
import { PasswordSection } from './password/password-section.tsx';
import { ProfileSection } from './profile/profile-section.tsx';
import { SecondFactorSection } from './second-factor/second-factor-section.tsx';
import { SessionsSection } from './sessions/sessions-section.tsx';

/** Who the viewer is to others, how and where they are signed in, and their data; there is no such page where accounts are kept elsewhere. */
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
        <ProfileSection />
        <AddressSection />
        <PasswordSection />
        <SecondFactorSection />
        <LinkedSection />
        <EnterprisesSection />
        <SessionsSection />
        <MailsSection />
        <ExportSection />
        <DeleteSection />
      </div>
    </AccessGate>
  );
}
