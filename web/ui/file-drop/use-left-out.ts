import { useTranslations } from 'use-intl';
import { useToast } from '../toast/toast-context.ts';

/** Names files that were chosen together with others and do not fit. */
export function useLeftOut(): (files: readonly File[]) => void {
  const t = useTranslations('form');
  const toast = useToast();
  return ([first, ...others]) => {
    if (first) toast({ kind: 'failure', text: t('left_out', { name: first.name, others: others.length }) });
  };
}
