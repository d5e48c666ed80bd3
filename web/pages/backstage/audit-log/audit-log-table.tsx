import { type Messages, useTranslations } from 'use-intl';
import type { AuditLogEntry } from '../../../../shared/entities/backstage.ts';
import { Table } from '../../../ui/table/table.tsx';
import { DateTime } from '../frame/date-time.tsx';
import { UserLabel } from '../frame/user-label.tsx';
import styles from './audit-log-screen.module.css';

type Props = { caption: string; entries: readonly AuditLogEntry[]; busy: boolean };

/** Entries of the audit log, newest first. */
export function TrailTable({ caption, entries, busy }: Props) {
  const t = useTranslations('auditLog');
  return (
    <Table caption={caption} hideCaption busy={busy} width="wide">
      <thead>
        <tr>
          <th scope="col">{t('when')}</th>
          <th scope="col">{t('who')}</th>
          <th scope="col">{t('what')}</th>
          <th scope="col">{t('target')}</th>
          <th scope="col">{t('why')}</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <Row key={entry.id} entry={entry} />
        ))}
      </tbody>
    </Table>
  );
}

function Row({ entry }: { entry: AuditLogEntry }) {
  const t = useTranslations('auditLog');
  const { action, actor, created_at, detail, target_id, target_name } = entry;
  const known = actionText(action);
  const { reason, version } = detail;
  return (
    <tr>
      <td className={styles.when} data-label={t('when')}>
        <DateTime at={created_at} />
      </td>
      <td className={styles.who} data-label={t('who')}>
        <UserLabel user={actor} />
      </td>
      <td className={styles.who} data-label={t('what')}>
        {known ? t(`actions.${known}`) : action}
      </td>
      <td className={styles.target} data-label={t('target')}>
        {[target_name || target_id, version].filter(Boolean).join(' ')}
      </td>
      <td className={styles.detail} data-label={t('why')}>
        {reason ?? '—'}
      </td>
    </tr>
  );
}

export const TARGET_KINDS = [
  'submission',
  'plugin',
  'recommendation',
  'tag',
  'mark',
  'slot',
  'banner',
  'editors_collection',
  'qr_code',
  'featured_work',
  'activity',
  'help_article',
  'help_category',
  'setting',
  'report',
  'kit',
  'publish_token',
  'account',
  'publisher',
] as const;
export type TargetKind = (typeof TARGET_KINDS)[number];

type ActionText = keyof Messages['auditLog']['actions'];

const ACTIONS: Readonly<Record<string, ActionText>> = {
  'submission.approve': 'submission_approve',
  'submission.reject': 'submission_reject',
  'submission.take_back': 'submission_take_back',
  'plugin.hide': 'plugin_hide',
  'plugin.show': 'plugin_show',
  'plugin.recommend': 'plugin_recommend',
  'plugin.unrecommend': 'plugin_unrecommend',
  'plugin.silent': 'plugin_silent',
  'plugin.not_silent': 'plugin_not_silent',
  'plugin.mark': 'plugin_mark',
  'plugin.unmark': 'plugin_unmark',
  'plugin.delete': 'plugin_delete',
  'plugin.import': 'plugin_import',
  'version.current': 'version_current',
  'version.hide': 'version_hide',
  'version.show': 'version_show',
  'plugin.withdraw': 'plugin_withdraw',
  'plugin.restore': 'plugin_restore',
  'plugin.deprecate': 'plugin_deprecate',
  'plugin.undeprecate': 'plugin_undeprecate',
  'kit.add': 'kit_add',
  'kit.change': 'kit_change',
  'kit.delete': 'kit_delete',
  'kit.fill': 'kit_fill',
  'kit.empty': 'kit_empty',
  'kit.order': 'kit_order',
  'publisher.hide': 'publisher_hide',
  'publisher.show': 'publisher_show',
  'publisher.dismiss': 'publisher_dismiss',
  'publisher.verify': 'publisher_verify',
  'publisher.unverify': 'publisher_unverify',
  'version.withdraw': 'version_withdraw',
  'version.restore': 'version_restore',
  'recommendation.order': 'recommendation_order',
  'tag.add': 'tag_add',
  'tag.change': 'tag_change',
  'tag.order': 'tag_order',
  'tag.merge': 'tag_merge',
  'tag.delete': 'tag_delete',
  'mark.add': 'mark_add',
  'mark.change': 'mark_change',
  'mark.order': 'mark_order',
  'mark.delete': 'mark_delete',
  'slot.add': 'slot_add',
  'slot.change': 'slot_change',
  'slot.disable': 'slot_disable',
  'slot.restore': 'slot_restore',
  'editors_collection.add': 'editors_collection_add',
  'editors_collection.change': 'editors_collection_change',
  'editors_collection.order': 'editors_collection_order',
  'editors_collection.delete': 'editors_collection_delete',
  'banner.add': 'banner_add',
  'banner.change': 'banner_change',
  'banner.delete': 'banner_delete',
  'banner.order': 'banner_order',
  'qr_code.add': 'qr_code_add',
  'qr_code.change': 'qr_code_change',
  'qr_code.delete': 'qr_code_delete',
  'work.add': 'work_add',
  'work.change': 'work_change',
  'work.order': 'work_order',
  'work.delete': 'work_delete',
  'activity.add': 'activity_add',
  'activity.change': 'activity_change',
  'activity.delete': 'activity_delete',
  'help_article.add': 'help_article_add',
  'help_article.change': 'help_article_change',
  'help_article.publish': 'help_article_publish',
  'help_article.withdraw': 'help_article_withdraw',
  'help_article.delete': 'help_article_delete',
  'help_article.order': 'help_article_order',
  'help_category.add': 'help_category_add',
  'help_category.change': 'help_category_change',
  'help_category.delete': 'help_category_delete',
  'help_category.order': 'help_category_order',
  'icon_font.save': 'icon_font_save',
  'stock_photo.save': 'stock_photo_save',
  'report.accept': 'report_accept',
  'report.dismiss': 'report_dismiss',
  'publish_token.revoke': 'publish_token_revoke',
  'account.delete_asked': 'account_delete_asked',
  'account.delete_called_off': 'account_delete_called_off',
  'account.delete': 'account_delete',
  'member.role': 'member_role',
  'member.role_by_groups': 'member_role_by_groups',
  'member.disable': 'member_disable',
  'member.enable': 'member_enable',
  'member.sign_out': 'member_sign_out',
  'member.password_link': 'member_password_link',
  'member.invite': 'member_invite',
  'member.second_factor': 'member_second_factor',
  'tool.register': 'tool_register',
  'tool.change': 'tool_change',
  'tool.remove': 'tool_remove',
};

/** The text of an action, or undefined for one that this release doesn't know. */
function actionText(action: string): ActionText | undefined {
  return ACTIONS[action];
}
