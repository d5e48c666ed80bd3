import { useState } from 'react';
import { Link, Outlet } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { HELP_PATH } from '../../../../shared/constants.ts';
import { useSite } from '../../../api/site-context.ts';
import { buttonClass } from '../../../ui/button/button-class.ts';
import { SupportIcon } from '../../../ui/icon/fact-icons.tsx';
import { PlusIcon } from '../../../ui/icon/sign-icons.tsx';
import { Notice } from '../../../ui/notice/notice.tsx';
import { PageHeader } from '../../../ui/page-header/page-header.tsx';
import { Tabs } from '../../../ui/tabs/tabs.tsx';
import { screenPath } from '../frame/screens.ts';
import { ArticleList } from './article-list.tsx';
import { CategoryList } from './category-list.tsx';

/** The help center as administrators keep it; nothing of it where one of another make is there. */
export function HelpScreen() {
  const t = useTranslations('helpAdmin');
  const { own_help } = useSite();
  if (!own_help)
    return (
      <Notice
        as="h1"
        icon={<SupportIcon size={22} />}
        title={t('elsewhere_title')}
        text={t('elsewhere_text')}
      />
    );
  return <Outlet />;
}

/** What there is to read. */
export function HelpLists() {
  const t = useTranslations('helpAdmin');
  const [tab, setTab] = useState<'articles' | 'categories'>('articles');
  return (
    <>
      <PageHeader
        title={t('title')}
        lead={t('lead')}
        actions={
          <>
            <a
              className={buttonClass({ variant: 'outline' })}
              href={HELP_PATH}
              target="_blank"
              rel="noopener"
            >
              {t('open_site')}
            </a>
            <Link className={buttonClass({ variant: 'primary' })} to={screenPath('help', 'new')}>
              <PlusIcon />
              {t('add')}
            </Link>
          </>
        }
      />
      <Tabs
        label={t('tabs')}
        value={tab}
        onChange={setTab}
        tabs={[
          { id: 'articles', label: t('articles') },
          { id: 'categories', label: t('categories') },
        ]}
        panel="help-list"
      />
      <div id="help-list" role="tabpanel" aria-label={t(tab)}>
        {tab === 'articles' ? <ArticleList /> : <CategoryList />}
      </div>
    </>
  );
}
