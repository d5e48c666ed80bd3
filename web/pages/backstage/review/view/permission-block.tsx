import CheckIcon from 'lucide-react/icons/check';
import InfoIcon from 'lucide-react/icons/info';
import TriangleAlertIcon from 'lucide-react/icons/triangle-alert';
import { useFormatter, useTranslations } from 'use-intl';
import type { AuditDetail } from '../../../../../shared/entities/backstage.ts';
import {
  asksForMore,
  type Changes,
  type PluginRights,
  permissionChanges,
} from '../../../../../shared/package/permission-changes.ts';
import { useHostWords } from '../../../../features/plugins/host-words.ts';
import { classNames } from '../../../../ui/class-names.ts';
import { ShortText } from '../../../../ui/visually-hidden/short-text.tsx';
import styles from './permission-block.module.css';

const KINDS: readonly (keyof PluginRights)[] = ['domains', 'permissions', 'editors'];

/** Permissions of the version compared with the published one, and the consequences for users. */
export function PermissionBlock({ rights }: { rights: NonNullable<AuditDetail['rights']> }) {
  const t = useTranslations('review');
  const format = useFormatter();
  const hostWords = useHostWords();
  const installation = useTranslations('installation');
  const { asked, published, hosts = [] } = rights;
  const tools = changesOf(published && hostWords(published.hosts ?? []), hostWords(hosts));
  const changes = permissionChanges(published?.rights ?? null, asked);
  const named = (one: string): string => (one === '*' ? t('rights_any') : one);
  const asks = published !== null && asksForMore(changes);
  const added = [...changes.domains.added, ...changes.permissions.added].map(named);
  return (
    <section className={styles.block} aria-labelledby="rights">
      <h2 id="rights" className={styles.title}>
        {t('rights_title')}
        {published && (
          <span className={styles.since}>{t('rights_since', { version: published.version })}</span>
        )}
      </h2>
      <p className={classNames(styles.meaning, asks && styles.asks)}>
        {asks ? <TriangleAlertIcon /> : published ? <CheckIcon /> : <InfoIcon />}
        {asks
          ? t('rights_ask', { list: format.list(added) })
          : t(published ? 'rights_itself' : 'rights_first')}
      </p>
      <dl className={styles.kinds}>
        {KINDS.map((kind) => (
          <div key={kind} className={styles.kind}>
            <dt>{t(`rights_${kind}`)}</dt>
            <dd>
              <ChangeList changes={changes[kind]} named={named} />
            </dd>
          </div>
        ))}
        {tools.added.length + tools.removed.length + tools.unchanged.length > 0 && (
          <div className={styles.kind}>
            <dt>{installation('editors')}</dt>
            <dd>
              <ChangeList changes={tools} named={named} />
            </dd>
          </div>
        )}
      </dl>
    </section>
  );
}

/** Tools with their versions: another range is another one. */
function changesOf(before: readonly string[] | null, after: readonly string[]): Changes {
  return {
    added: after.filter((one) => !before?.includes(one)),
    removed: (before ?? []).filter((one) => !after.includes(one)),
    unchanged: after.filter((one) => before?.includes(one)),
  };
}

function ChangeList({ changes, named }: { changes: Changes; named: (one: string) => string }) {
  const t = useTranslations('review');
  const { added, removed, unchanged } = changes;
  if (added.length + removed.length + unchanged.length === 0) {
    return <span className={styles.none}>{t('rights_none')}</span>;
  }
  return (
    <ul className={styles.list}>
      {added.map((one) => (
        <li key={`+${one}`}>
          <ins className={styles.added}>
            <ShortText full={t('marked_added', { text: named(one) })}>{named(one)}</ShortText>
          </ins>
        </li>
      ))}
      {removed.map((one) => (
        <li key={`-${one}`}>
          <del className={styles.removed}>
            <ShortText full={t('marked_removed', { text: named(one) })}>{named(one)}</ShortText>
          </del>
        </li>
      ))}
      {unchanged.map((one) => (
        <li key={one} className={styles.same}>
          {named(one)}
        </li>
      ))}
    </ul>
  );
}
