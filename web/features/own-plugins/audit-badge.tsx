import CheckIcon from 'lucide-react/icons/check';
import ClockIcon from 'lucide-react/icons/clock';
import XIcon from 'lucide-react/icons/x';
import { useTranslations } from 'use-intl';
import { AUDIT_PASSED, AUDIT_REFUSED, AUDIT_WAITING } from '../../../shared/constants.ts';
import type { AuditItem } from '../../../shared/entities/review.ts';
import { Badge } from '../../ui/badge/badge.tsx';

const LOOKS = {
  [AUDIT_WAITING]: { tone: 'warning', text: 'unaudited', icon: <ClockIcon size={13} /> },
  [AUDIT_PASSED]: { tone: 'positive', text: 'passed', icon: <CheckIcon size={13} /> },
  [AUDIT_REFUSED]: { tone: 'negative', text: 'refused', icon: <XIcon size={13} /> },
} as const;

/** The review status as a badge (specification section 4). */
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
