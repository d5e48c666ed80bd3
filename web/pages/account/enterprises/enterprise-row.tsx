import { useTranslations } from 'use-intl';
import type { OwnEnterprise } from '../../../../shared/routes/own-enterprise.ts';
import { Button } from '../../../ui/button/button.tsx';
import { CheckIcon } from '../../../ui/icon/action-icons.tsx';
import styles from './enterprises-section.module.css';
import { useEnterpriseName } from './use-enterprise-name.ts';

type Props = {
  enterprise: OwnEnterprise;
  isCurrent: boolean;
  busy: boolean;
  /** Absent while another one is being gone over to. */
  onEnter: (() => void) | undefined;
};

/** One enterprise: what the viewer is there, and the way to it. */
export function EnterpriseRow({ enterprise, isCurrent, busy, onEnter }: Props) {
  const t = useTranslations('account');
  const { department, is_owner, is_administrator } = enterprise;
  const name = useEnterpriseName()(enterprise);
  const facts = [
    department,
    is_owner && t('enterprise_owner'),
    is_administrator && t('enterprise_administrator'),
  ].filter(Boolean);
  return (
    <li className={styles.row}>
      <div className={styles.words}>
        <p className={styles.name}>{name}</p>
        {facts.length > 0 && <p className={styles.facts}>{facts.join(' · ')}</p>}
      </div>
      {isCurrent ? (
        <p className={styles.current}>
          <CheckIcon size={14} />
          {t('enterprise_current')}
        </p>
      ) : (
        <Button
          variant="outline"
          busy={busy}
          disabled={!busy && onEnter === undefined}
          onClick={onEnter}
          aria-label={t('enterprise_enter_name', { name })}
        >
          {t('enterprise_enter')}
        </Button>
      )}
    </li>
  );
}
