import ExternalLinkIcon from 'lucide-react/icons/external-link';
import FileCodeIcon from 'lucide-react/icons/file-code';
import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { DOCS_PATH } from '../../../shared/constants.ts';
import { useSite } from '../../api/site-context.ts';
import { buttonClass } from '../../ui/button/button-class.ts';

/** Link to the developer documentation: the deployment's own, or ours. */
export function DeveloperDocsLink() {
  const t = useTranslations('plugin');
  const { developer_docs_url: own } = useSite();
  const look = buttonClass({ variant: 'quiet', size: 's' });
  if (own === undefined)
    return (
      <Link className={look} to={DOCS_PATH}>
        <FileCodeIcon />
        {t('developer_docs')}
      </Link>
    );
  return (
    <a className={look} href={own} target="_blank" rel="noopener noreferrer">
      <ExternalLinkIcon />
      {t('developer_docs')}
    </a>
  );
}
