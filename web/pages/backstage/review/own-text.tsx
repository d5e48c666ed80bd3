import { useTranslations } from 'use-intl';

const SETTING = 'REVIEW_OWN_SUBMISSIONS=yes';

/** Why somebody cannot decide on what they have handed in, and what a site with one administrator does about it. */
export function OwnText() {
  const t = useTranslations('review');
  return (
    <span>
      {t('problem_own')} {t('own_setting', { setting: SETTING })}
    </span>
  );
}
