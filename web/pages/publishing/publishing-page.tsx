import { useQuery } from '@tanstack/react-query';
import ActivityIcon from 'lucide-react/icons/activity';
import DownloadIcon from 'lucide-react/icons/download';
import FlaskConicalIcon from 'lucide-react/icons/flask-conical';
import ImageIcon from 'lucide-react/icons/image';
import RefreshCwIcon from 'lucide-react/icons/refresh-cw';
import UploadIcon from 'lucide-react/icons/upload';
import type { LucideIcon } from 'lucide-react/types';
import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { DOCS_PATH, PUBLISH_PATHS, PUBLISHING_PATH } from '../../../shared/constants.ts';
import { queryOptionsOf } from '../../api/queries.ts';
import { DeveloperDocsLink } from '../../features/plugins/developer-docs-link.tsx';
import { useSignInLink } from '../../features/session/ask-sign-in.ts';
import { useSession } from '../../features/session/use-session.ts';
import { usePageHead } from '../../layout/page-head.tsx';
import { buttonClass } from '../../ui/button/button-class.ts';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import styles from './publishing-page.module.css';

const GAINS: readonly (readonly [name: 'page' | 'updates' | 'figures' | 'trial', Icon: LucideIcon])[] = [
  ['page', ImageIcon],
  ['updates', RefreshCwIcon],
  ['figures', ActivityIcon],
  ['trial', FlaskConicalIcon],
];
const STEPS = ['check', 'submit', 'wait', 'decision'] as const;
const PARTS = ['manifest', 'files', 'listing'] as const;

/** The way in for publishers: what they get, how review works, what a package is (R 2.27). */
export function PublishingPage() {
  const t = useTranslations('publishing');
  usePageHead({ title: t('title'), description: t('description'), canonical: PUBLISHING_PATH });
  return (
    <article className={styles.page}>
      <header>
        <h1 className={styles.title}>{t('title')}</h1>
        <p className={styles.lead}>{t('lead')}</p>
        <div className={styles.start}>
          <Start />
        </div>
      </header>
      <section aria-labelledby="gains">
        <h2 id="gains" className={styles.heading}>
          {t('gains')}
        </h2>
        <ul className={styles.gains}>
          {GAINS.map(([name, Icon]) => (
            <li key={name} className={styles.gain}>
              <Icon size={20} className={styles.icon} />
              <h3 className={styles.name}>{t(`gain_${name}`)}</h3>
              <p className={styles.text}>{t(`gain_${name}_text`)}</p>
            </li>
          ))}
        </ul>
      </section>
      <section aria-labelledby="review">
        <h2 id="review" className={styles.heading}>
          {t('review')}
        </h2>
        <ol className={styles.steps}>
          {STEPS.map((step) => (
            <li key={step} className={styles.step}>
              {t(`step_${step}`)}
            </li>
          ))}
        </ol>
      </section>
      <section aria-labelledby="package">
        <h2 id="package" className={styles.heading}>
          {t('package')}
        </h2>
        <p>{t('package_lead')}</p>
        <dl className={styles.parts}>
          {PARTS.map((part) => (
            <div key={part} className={styles.part}>
              <dt>
                <code className={styles.code}>{part}</code>
              </dt>
              <dd>{t(`part_${part}`)}</dd>
            </div>
          ))}
        </dl>
        <div className={styles.downloads}>
          <a className={buttonClass({ variant: 'outline' })} href={`${DOCS_PATH}hello-world.json`} download>
            <DownloadIcon />
            {t('hello')}
          </a>
          <a
            className={buttonClass({ variant: 'quiet', size: 's' })}
            href={`${DOCS_PATH}plugin-package.schema.json`}
            download
          >
            <DownloadIcon />
            {t('schema')}
          </a>
          <DeveloperDocsLink />
        </div>
      </section>
    </article>
  );
}

/** The next step: signing in, the form, or whom to ask. */
function Start() {
  const t = useTranslations('publishing');
  const { status } = useSession();
  const link = useSignInLink();
  const viewer = useQuery({ ...queryOptionsOf('verifyUser', {}), enabled: status === 'signed-in' });
  if (status === 'anonymous')
    return (
      <a className={buttonClass({ variant: 'primary', size: 'l' })} {...link()}>
        {t('sign_in')}
      </a>
    );
  if (!viewer.data && !viewer.error) return <Skeleton shape="block" className={styles.waiting} />;
  if (viewer.data?.may_publish === false) return <p className={styles.note}>{t('admins_only')}</p>;
  return (
    <Link className={buttonClass({ variant: 'primary', size: 'l' })} to={`${PUBLISH_PATHS}single`}>
      <UploadIcon />
      {t('publish')}
    </Link>
  );
}
