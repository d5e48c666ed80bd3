import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { isPrivate } from '../../../shared/deploy-types.ts';
import { useSite } from '../../api/site-context.ts';
import { Account } from '../../features/session/account.tsx';
import { AccountVisitor } from '../../features/session/account-visitor.tsx';
import { useSession } from '../../features/session/use-session.ts';
import { buttonClass } from '../../ui/button/button-class.ts';
import { useSiteAddress } from '../site-address.ts';
import { useClientContext } from '../use-client-context.ts';
import { DrawerButton } from './drawer/drawer-button.tsx';
import styles from './site-header.module.css';
import type { SiteTargets } from './targets/target.ts';

type Props = { targets: SiteTargets; preferences: ReactNode };

/** The end of the header: preferences, the way into the workbench, the account, and on small windows the drawer. */
export function HeaderTools({ targets: { sections, workbench, personalHome }, preferences }: Props) {
  const t = useTranslations();
  const { deploy_type, sign_up } = useSite();
  const { embedded } = useClientContext();
  const { status, user } = useSession();
  const addressOf = useSiteAddress();
  const signUpLabel = sign_up
    ? t(isPrivate(deploy_type) ? 'session.sign_up' : 'header.start_free')
    : undefined;
  const tool = addressOf(workbench);
  const toWorkbench = user && tool !== undefined && (
    <a className={buttonClass({ variant: 'primary' }, styles.workbench)} href={tool}>
      {t('header.workbench')}
    </a>
  );
  return (
    <div className={styles.tools}>
      <div className={styles.preferences}>{preferences}</div>
      {toWorkbench}
      <Account
        signUpLabel={signUpLabel}
        personalHome={user && addressOf(personalHome(user.user_id))}
        hasMenu={!embedded}
      />
      <DrawerButton className={styles.drawer} sections={sections}>
        <div className={styles.preferences}>{preferences}</div>
        {toWorkbench}
        {status === 'anonymous' && <AccountVisitor signUpLabel={signUpLabel} className={styles.visitor} />}
      </DrawerButton>
    </div>
  );
}
