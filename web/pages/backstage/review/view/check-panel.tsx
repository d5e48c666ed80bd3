import CheckIcon from 'lucide-react/icons/check';
import { useLocale, useTranslations } from 'use-intl';
import type { AuditDetail } from '../../../../../shared/entities/backstage.ts';
import type { Finding } from '../../../../../shared/entities/finding.ts';
import type { PluginDetail } from '../../../../../shared/entities/plugin.ts';
import { FindingList } from '../../../../features/findings/finding-list.tsx';
import { NetworkAccess } from '../../../../features/plugins/detail/network-access.tsx';
import { PanelPicture } from '../../../../features/plugins/detail/panel-picture.tsx';
import { PlainText } from '../../../../features/plugins/detail/plain-text.tsx';
import { PluginFacts } from '../../../../features/plugins/detail/plugin-facts.tsx';
import { PluginGallery } from '../../../../features/plugins/detail/plugin-gallery.tsx';
import { PluginTitle } from '../../../../features/plugins/detail/plugin-title.tsx';
import { PluginTags } from '../../../../features/plugins/plugin-tags.tsx';
import { ViewerProvider } from '../../../viewer-provider.tsx';
import { useListFilter } from '../../filters/list-filter.ts';
import { tabOfFinding } from '../code/finding-place.ts';
import styles from './check-panel.module.css';

/** Findings of the package check, each linked to its place, and beside them the plugin as users will see it. */
export function CheckPanel({ detail: { item, preview } }: { detail: AuditDetail }) {
  const t = useTranslations('review');
  const { query } = useListFilter('unaudited');
  const linkOf = (finding: Finding): string | undefined => {
    const tab = tabOfFinding(finding);
    if (tab === undefined) return undefined;
    const next = new URLSearchParams(query);
    next.set('part', tab);
    next.set('finding', String(item.findings.indexOf(finding)));
    return `?${next}`;
  };
  return (
    <div className={styles.columns}>
      <div className={styles.findings}>
        {item.findings.length > 0 ? (
          <FindingList findings={item.findings} linkOf={linkOf} />
        ) : (
          <p className={styles.fine}>
            <CheckIcon />
            {t('no_findings')}
          </p>
        )}
      </div>
      <section className={styles.previewPlace} aria-labelledby="preview">
        <h2 id="preview" className={styles.heading}>
          {t('part_preview')}
        </h2>
        <Preview plugin={preview} />
      </section>
    </div>
  );
}

/** The plugin's page as users will see it, without actions. */
function Preview({ plugin }: { plugin: PluginDetail }) {
  const locale = useLocale();
  const lang = plugin.description_lang === locale ? undefined : plugin.description_lang;
  return (
    <ViewerProvider>
      <article className={styles.preview}>
        <div className={styles.previewHead}>
          <PluginTitle plugin={plugin} as="h3" />
        </div>
        <div className={styles.previewMain}>
          <PluginGallery plugin={plugin} />
          <PanelPicture plugin={plugin} />
          <PlainText text={plugin.description} lang={lang} />
          <PluginTags tags={plugin.tags} />
        </div>
        <div className={styles.previewAside}>
          <NetworkAccess plugin={plugin} />
          <PluginFacts plugin={plugin} />
        </div>
      </article>
    </ViewerProvider>
  );
}
