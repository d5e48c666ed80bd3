import { useTranslations } from 'use-intl';
import type { AuditItem } from '../../../../shared/entities/review.ts';
import { Badge } from '../../../ui/badge/badge.tsx';

const LOOKS = {
  1: { tone: 'warning', text: 'unaudited' },
  2: { tone: 'positive', text: 'passed' },
  3: { tone: 'negative', text: 'refused' },
} as const;

/** The review status as a badge. */
export function StatusBadge({ status }: { status: AuditItem['audit_status'] }) {
  const t = useTranslations('status');
  const { tone, text } = LOOKS[status];
  return (
    <Badge tone={tone} dot>
      {t(text)}
    </Badge>
  );
}
