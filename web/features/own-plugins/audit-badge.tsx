import { useTranslations } from 'use-intl';
import { AUDIT_PASSED, AUDIT_REFUSED, AUDIT_WAITING } from '../../../shared/constants.ts';
import type { AuditItem } from '../../../shared/entities/review.ts';
import { Badge } from '../../ui/badge/badge.tsx';
import { CheckIcon, CloseIcon } from '../../ui/icon/action-icons.tsx';
import { ClockIcon } from '../../ui/icon/fact-icons.tsx';

const LOOKS = {
  [AUDIT_WAITING]: { tone: 'warning', text: 'unaudited', icon: <ClockIcon size={13} /> },
  [AUDIT_PASSED]: { tone: 'positive', text: 'passed', icon: <CheckIcon size={13} /> },
  [AUDIT_REFUSED]: { tone: 'negative', text: 'refused', icon: <CloseIcon size={13} /> },
} as const;

/** Where a review stands (specification section 4). */
export function AuditBadge({ status }: { status: AuditItem['audit_status'] }) {
  const t = useTranslations('status');
  const { tone, text, icon } = LOOKS[status];
  return (
    <Badge tone={tone}>
      {icon}
      {t(text)}
    </Badge>
  );
}
