import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useBlocker } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { queryOptionsOf } from '../../../api/queries.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog/confirm-dialog.tsx';
import { Select } from '../../../ui/select/select.tsx';
import { useNameOf } from './help-row.tsx';

const NONE = 'none';

type ChoiceProps = { value: number | null; onChange: (id: number | null) => void };

/** The category of an article, or none. */
export function CategoryChoice({ value, onChange }: ChoiceProps) {
  const t = useTranslations('helpAdmin');
  const nameOf = useNameOf();
  const categories = useQuery(queryOptionsOf('listManagedCategories', {})).data?.category_list ?? [];
  return (
    <Select
      label={t('category')}
      value={String(value ?? NONE)}
      onChange={(chosen) => onChange(chosen === NONE ? null : Number(chosen))}
      options={[
        { value: NONE, label: t('no_category') },
        ...categories.map(({ id, name, default_lang }) => ({
          value: String(id),
          label: nameOf(name, default_lang),
        })),
      ]}
    />
  );
}

/** Asks before something is lost that was written: `isActive` inside the site, `warns` when the browser leaves it. */
export function LeaveArticle({ isActive, warns }: { isActive: () => boolean; warns: boolean }) {
  const t = useTranslations('helpAdmin');
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isActive() && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (!warns) return;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [warns]);
  return (
    <ConfirmDialog
      open={blocker.state === 'blocked'}
      title={t('leave_title')}
      confirmLabel={t('leave')}
      cancelLabel={t('stay')}
      onConfirm={() => blocker.proceed?.()}
      onClose={() => blocker.reset?.()}
    >
      {t('leave_text')}
    </ConfirmDialog>
  );
}
