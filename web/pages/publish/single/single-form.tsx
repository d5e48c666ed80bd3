import { Link, useLocation } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import type { Tag } from '../../../../shared/entities/plugin.ts';
import type { EditablePlugin, PublishRules } from '../../../../shared/entities/review.ts';
import type { UserInfo } from '../../../../shared/entities/user.ts';
import { textIn } from '../../../../shared/languages.ts';
import { useSite } from '../../../api/site-context.ts';
import { FindingList } from '../../../features/findings/finding-list.tsx';
import { findingOfDetail } from '../../../features/findings/findings.ts';
import { useFindingText } from '../../../features/findings/use-finding-text.ts';
import { QueueOfPlugin } from '../../../features/own-plugins/queue-note.tsx';
import { readPackageFile } from '../../../features/packages/read-packages.ts';
import { PublishForm } from '../../../features/publishing/publish-form.tsx';
import { signInUrl } from '../../../features/session/sign-in-url.ts';
import { usePageHead } from '../../../layout/page-head.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { buttonClass } from '../../../ui/button/button-class.ts';
import { MY_PLUGINS_PATH } from '../publish-paths.ts';
import { SingleHeader } from './single-header.tsx';
import styles from './single-page.module.css';
import { SinglePreview } from './single-preview.tsx';

type SingleFormProps = {
  user: UserInfo;
  plugin: EditablePlugin | undefined;
  wantsVersion: boolean;
  rules: PublishRules | undefined;
  tags: readonly Tag[];
  readNewer: () => Promise<EditablePlugin | undefined>;
  /** Begins anew, with what is known by then. */
  onAnew: () => void;
};

/** The publishing form with all that comes from other parts of the site. */
export function SingleForm({ user, plugin, onAnew, ...facts }: SingleFormProps) {
  const t = useTranslations('publish');
  const { language } = useSite();
  const { pathname, search } = useLocation();
  const sayFinding = useFindingText();
  const name = plugin && textIn(plugin.listing.name, language, plugin.listing.default_lang).text;
  usePageHead({ title: name === undefined ? t('title_new') : t('title_edit', { name }) });
  return (
    <div className={styles.page}>
      <PublishForm
        {...facts}
        userId={user.user_id}
        plugin={plugin}
        readPackage={readPackageFile}
        sayFinding={sayFinding}
        showFindings={(findings) => <FindingList findings={findings} />}
        showDetails={(details) => <FindingList findings={details.map(findingOfDetail)} />}
        header={<SingleHeader plugin={plugin} name={name} />}
        preview={(form) => <SinglePreview form={form} user={user} />}
        doneActions={
          <>
            <Link className={buttonClass({ variant: 'primary', size: 'l' })} to={MY_PLUGINS_PATH}>
              {t('done_my_plugins')}
            </Link>
            <Button variant="outline" size="l" onClick={onAnew}>
              {t(plugin ? 'done_edit' : 'done_another')}
            </Button>
          </>
        }
        showQueue={(pluginKey) => <QueueOfPlugin pluginKey={pluginKey} isShort />}
        onLoadNewer={onAnew}
        onSignIn={() => location.assign(signInUrl(`${pathname}${search}`))}
      />
    </div>
  );
}
