import { operations } from 'virtual:operations';
import { useTranslations } from 'use-intl';
import type { DataFor } from '../../api/client.ts';
import { useSite } from '../../api/site-context.ts';
import { Button } from '../../ui/button/button.tsx';
import { CopyButton, type CopyLabels } from '../../ui/copy/copy-button.tsx';
import { ShownOnce } from '../../ui/shown-once/shown-once.tsx';
import { curlExample } from './curl-example.ts';
import styles from './tokens.module.css';

type TokenSecretProps = { made: DataFor<'createPublishToken'>; onDone: () => void };

/** The secret of a new token, this once, and how it is used. */
export function TokenSecret({ made: { token, secret }, onDone }: TokenSecretProps) {
  const t = useTranslations('publishToken');
  const { public_url } = useSite();
  const address = new URL(operations.publishPlugin.path, public_url);
  const example = curlExample({ address, pluginKey: token.plugin_key });
  const labels: CopyLabels = { idle: t('copy'), copied: t('copied'), failed: t('copy_failed') };
  return (
    <ShownOnce title={t('secret_title', { name: token.name })} level={2}>
      <p className={styles.secretText}>{t('secret_text')}</p>
      <div className={styles.box}>
        <code className={styles.code} translate="no">
          {secret}
        </code>
        <CopyButton variant="primary" text={() => secret} labels={labels} />
      </div>
      <p className={styles.exampleText}>{t('example_text')}</p>
      <div className={styles.box}>
        <pre className={styles.code} translate="no">
          {example}
        </pre>
        <CopyButton text={() => example} labels={labels} />
      </div>
      <Button variant="outline" className={styles.done} onClick={onDone}>
        {t('done')}
      </Button>
    </ShownOnce>
  );
}
