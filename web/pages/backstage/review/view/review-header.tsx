import { useInfiniteQuery } from '@tanstack/react-query';
import ArrowLeftIcon from 'lucide-react/icons/arrow-left';
import CheckIcon from 'lucide-react/icons/check';
import ChevronLeftIcon from 'lucide-react/icons/chevron-left';
import ChevronRightIcon from 'lucide-react/icons/chevron-right';
import DownloadIcon from 'lucide-react/icons/download';
import ExternalLinkIcon from 'lucide-react/icons/external-link';
import XIcon from 'lucide-react/icons/x';
import { useEffect } from 'react';
import { Link } from 'react-router-dom';
import { useLocale, useTranslations } from 'use-intl';
import { AUDIT_PASSED, AUDIT_REFUSED, AUDIT_WAITING } from '../../../../../shared/constants.ts';
import type { ReviewItem } from '../../../../../shared/entities/review.ts';
import { download } from '../../../../api/download.ts';
import { packageIn, TryButton } from '../../../../features/playground/index.ts';
import { PluginIcon } from '../../../../features/plugins/plugin-icon.tsx';
import { pluginPath } from '../../../../features/plugins/plugin-path.ts';
import { Badge } from '../../../../ui/badge/badge.tsx';
import { Button } from '../../../../ui/button/button.tsx';
import { buttonClass } from '../../../../ui/button/button-class.ts';
import { IconButton } from '../../../../ui/button/icon-button.tsx';
import { PageHeader } from '../../../../ui/page-header/page-header.tsx';
import { Tooltip } from '../../../../ui/tooltip/tooltip.tsx';
import { useListFilter } from '../../filters/list-filter.ts';
import { StatusBadge } from '../../filters/status-badge.tsx';
import { ElapsedTime } from '../../frame/date-time.tsx';
import { screenPath } from '../../frame/screens.ts';
import { usePackageDownload } from '../../frame/use-download.ts';
import { UserLabel } from '../../frame/user-label.tsx';
import { ShortcutsButton } from '../../shortcuts/shortcuts-button.tsx';
import { useHotkeysEnabled } from '../../shortcuts/use-hotkeys.ts';
import { auditsQuery } from '../audits-query.ts';
import { nextUnclaimed, submissionKind } from '../submission.ts';
import styles from './review-view.module.css';

/** Plugin, publisher and age of a submission, with links to its page and package. */
export function ReviewHeader({ item, search }: { item: ReviewItem; search: string }) {
  const t = useTranslations('review');
  const locale = useLocale();
  const packages = usePackageDownload();
  const { submission_id, plugin, version, audit_status, is_live, submitted_at } = item;
  return (
    <PageHeader
      back={
        <Link to={`${screenPath('audit-list')}${search}`}>
          <ArrowLeftIcon />
          {t('back')}
        </Link>
      }
      title={
        <span className={styles.title}>
          <PluginIcon icon={plugin.icon} name={plugin.name} size={48} />
          <span lang={plugin.lang === locale ? undefined : plugin.lang}>{plugin.name}</span>
          <span className={styles.version}>{version}</span>
        </span>
      }
      lead={
        <span className={styles.facts}>
          <StatusBadge status={audit_status} />
          <Badge>{t(submissionKind(item))}</Badge>
          {is_live && <Badge>{t('is_live')}</Badge>}
          <UserLabel user={plugin.publisher} />
          <ElapsedTime at={submitted_at} />
        </span>
      }
      actions={
        <>
          {is_live && (
            <Link
              className={buttonClass({ variant: 'outline' })}
              to={pluginPath(plugin.plugin_key)}
              target="_blank"
            >
              <ExternalLinkIcon />
              {t('open_page')}
            </Link>
          )}
          <TryButton
            name={plugin.name}
            packageKey={`submission ${submission_id}`}
            readPackage={async () =>
              packageIn(await download('downloadPlugin', { key: plugin.plugin_key, version }))
            }
          />
          <Button
            variant="outline"
            busy={packages.busy}
            onClick={() => packages.save(plugin.plugin_key, version)}
          >
            <DownloadIcon />
            {t('download')}
          </Button>
        </>
      }
    />
  );
}

type Props = {
  item: ReviewItem;
  neighbours: Neighbours;
  /** Claimed by another reviewer, or the reviewer's own. */
  isLocked: boolean;
  busy: boolean;
  /** A dialog covers the page. */
  isCovered: boolean;
  onOpen: (item: ReviewItem | undefined) => void;
  onApprove: () => void;
  onReject: () => void;
};

/** The decision, and links to the previous and next submission; sticky. */
export function ReviewToolbar({
  item,
  neighbours,
  isLocked,
  busy,
  isCovered,
  onOpen,
  onApprove,
  onReject,
}: Props) {
  const t = useTranslations('review');
  const [areKeysEnabled] = useHotkeysEnabled();
  const withKey = (text: string, key: string): string =>
    areKeysEnabled ? `${text} <kbd>${key}</kbd>` : text;
  const { previous, next } = neighbours;
  const { audit_status } = item;
  const rejectLabel = t(audit_status === AUDIT_PASSED ? 'take_back' : 'reject');
  const approveLabel = t(audit_status === AUDIT_REFUSED ? 'approve_after_all' : 'approve');
  return (
    <div className={styles.bar} role="toolbar" aria-label={t('decision')}>
      <Tooltip html={withKey(t('previous'), 'K')}>
        <IconButton
          label={t('previous')}
          icon={<ChevronLeftIcon size={18} />}
          disabled={!previous}
          onClick={() => onOpen(previous)}
        />
      </Tooltip>
      <Tooltip html={withKey(t('next'), 'J')}>
        <IconButton
          label={t('next')}
          icon={<ChevronRightIcon size={18} />}
          disabled={!next}
          onClick={() => onOpen(next)}
        />
      </Tooltip>
      <ShortcutsButton
        isCovered={isCovered}
        commands={[
          { key: 'j', text: t('next'), action: () => onOpen(next) },
          { key: 'k', text: t('previous'), action: () => onOpen(previous) },
          { key: 'a', text: t('approve'), action: onApprove },
          { key: 'r', text: t('key_reject'), action: onReject },
        ]}
      />
      <span className={styles.space} />
      {audit_status !== AUDIT_REFUSED && (
        <Button
          variant={audit_status === AUDIT_WAITING ? 'outline' : 'soft'}
          disabled={isLocked || busy}
          onClick={onReject}
        >
          <XIcon />
          {rejectLabel}
        </Button>
      )}
      {audit_status !== AUDIT_PASSED && (
        <Button variant="primary" busy={busy} disabled={isLocked} onClick={onApprove}>
          {!busy && <CheckIcon />}
          {approveLabel}
        </Button>
      )}
    </div>
  );
}

/** The previous and next submission of the list it was opened from, and the next pending one. */
type Neighbours = {
  previous: ReviewItem | undefined;
  next: ReviewItem | undefined;
  nextPending: ReviewItem | undefined;
};

export function useNeighbours(submissionId: number, me: number | undefined): Neighbours {
  const { filter } = useListFilter('unaudited');
  const list = useInfiniteQuery(auditsQuery(filter));
  const queue = useInfiniteQuery(auditsQuery({ ...filter, status: 'unaudited' }));
  const items = list.data?.pages.flatMap((page) => page.audit_list) ?? [];
  const index = items.findIndex(({ submission_id }) => submission_id === submissionId);
  const { hasNextPage, isFetching, fetchNextPage } = list;
  const isAtEnd = index >= 0 && index === items.length - 1;
  useEffect(() => {
    if (isAtEnd && hasNextPage && !isFetching) void fetchNextPage();
  }, [isAtEnd, hasNextPage, isFetching, fetchNextPage]);
  const waiting = queue.data?.pages.flatMap((page) => page.audit_list) ?? [];
  return {
    previous: items[index - 1],
    next: items[index + 1],
    nextPending: nextUnclaimed(waiting, submissionId, me),
  };
}
