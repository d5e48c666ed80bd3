import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { UnsavedTextsContext } from '../ui/dialog/unsaved-context.ts';

/** Gives all dialogs the texts of their question before input is discarded. */
export function UnsavedTexts({ children }: { children: ReactNode }) {
  const t = useTranslations('form');
  return (
    <UnsavedTextsContext
      value={{
        title: t('unsaved_title'),
        text: t('unsaved_text'),
        discard: t('unsaved_discard'),
        keep: t('unsaved_keep'),
      }}
    >
      {children}
    </UnsavedTextsContext>
  );
}
