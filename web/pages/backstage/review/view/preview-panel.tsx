import { useLocale } from 'use-intl';
import type { PluginDetail } from '../../../../../shared/entities/plugin.ts';
import { NetworkAccess } from '../../../../features/plugins/detail/network-access.tsx';
import { PanelPicture } from '../../../../features/plugins/detail/panel-picture.tsx';
import { PlainText } from '../../../../features/plugins/detail/plain-text.tsx';
import { PluginFacts } from '../../../../features/plugins/detail/plugin-facts.tsx';
import { PluginGallery } from '../../../../features/plugins/detail/plugin-gallery.tsx';
import { PluginTags } from '../../../../features/plugins/detail/plugin-tags.tsx';
import { PluginTitle } from '../../../../features/plugins/detail/plugin-title.tsx';
import { VisitorGate } from '../../../visitor-gate.tsx';
import styles from './review-view.module.css';

/** The plugin's page as users will see it, without what they can do there. */
export function PreviewPanel({ plugin }: { plugin: PluginDetail }) {
  const locale = useLocale();
  const lang = plugin.description_lang === locale ? undefined : plugin.description_lang;
  return (
    <VisitorGate>
      <article className={styles.preview}>
        <div className={styles.previewHead}>
          <PluginTitle plugin={plugin} />
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
    </VisitorGate>
  );
}
