import { useTranslations } from 'use-intl';
import { Button } from '../../../ui/button/button.tsx';
import { TextField } from '../../../ui/text-field/text-field.tsx';
import { useListingForm } from '../publish-form-context.ts';
import { FormField } from './form-field.tsx';
import styles from './version-number.module.css';

/** The number of the version that comes; the one that would follow is offered. */
export function VersionNumber() {
  const t = useTranslations('publish');
  const { plugin, values, setValue, suggested, problemAt } = useListingForm();
  return (
    <FormField name="version">
      <div className={styles.number}>
        <TextField
          label={t('version_number')}
          value={values.version}
          onValueChange={(text) => setValue('version', text)}
          hint={t('version_hint')}
          error={problemAt('/version')}
          autoComplete="off"
          spellCheck={false}
          required
        />
        {plugin && values.version !== suggested && (
          <Button variant="soft" className={styles.suggest} onClick={() => setValue('version', suggested)}>
            {t('version_suggested', { version: suggested })}
          </Button>
        )}
      </div>
    </FormField>
  );
}
