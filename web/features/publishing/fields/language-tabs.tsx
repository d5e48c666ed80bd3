import { useTranslations } from 'use-intl';
import { LANGUAGE_NAMES, LANGUAGES, type Texts } from '../../../../shared/languages.ts';
import { type Tab, Tabs } from '../../../ui/tabs/tabs.tsx';
import { useListingForm } from '../publish-form-context.ts';
import type { TextsName } from '../values/publish-values.ts';
import { filledIn } from '../values/texts.ts';

type LanguageTabsProps = { label: string; names: readonly TextsName[]; panel: string };

/** The languages one may write in; a dot shows in which ones there is something, or something wrong. */
export function LanguageTabs({ label, names, panel }: LanguageTabsProps) {
  const t = useTranslations('publish');
  const { values, problems, language, setLanguage } = useListingForm();
  const texts: Texts[] = names.map((name) => values[name]);
  const tabs = LANGUAGES.map((id): Tab<(typeof LANGUAGES)[number]> => {
    const isWrong = names.some((name) => problems.some(({ pointer }) => pointer === `/${name}/${id}`));
    const filled = filledIn(texts, id);
    return {
      id,
      label: LANGUAGE_NAMES[id],
      lang: id,
      mark: isWrong
        ? { tone: 'wrong', label: t('language_wrong') }
        : filled === 'none'
          ? undefined
          : { tone: filled === 'all' ? 'done' : 'begun', label: t(`language_${filled}`) },
    };
  });
  return <Tabs label={label} tabs={tabs} value={language} onChange={setLanguage} panel={panel} />;
}
