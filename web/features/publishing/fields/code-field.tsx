import { useTranslations } from 'use-intl';
import { IconButton } from '../../../ui/button/icon-button.tsx';
import { FileDrop } from '../../../ui/file-drop/file-drop.tsx';
import { TrashIcon } from '../../../ui/icon/action-icons.tsx';
import { CodeFileIcon } from '../../../ui/icon/file-icons.tsx';
import { Spinner } from '../../../ui/spinner/spinner.tsx';
import { useForm } from '../publish-form-context.ts';
import styles from './code-field.module.css';
import { FormField } from './form-field.tsx';
import { useBytesText } from './use-bytes-text.ts';

/** Takes the package of the plugin and shows which one it is. */
export function CodeField() {
  const t = useTranslations('publish');
  const form = useTranslations('form');
  const bytes = useBytesText();
  const { files, packageState, chooseCode, removeCode, problemAt } = useForm();
  const { code } = files.files;
  const isReading = packageState.state === 'reading';
  return (
    <FormField name="code">
      <FileDrop
        label={t('code')}
        prompt={t('code_prompt')}
        hint={t('code_hint')}
        error={problemAt('/code')}
        accept=".json,application/json"
        icon={<CodeFileIcon size={20} />}
        required
        onFiles={([file]) => file && void chooseCode(file)}
      >
        {isReading || code ? (
          <div className={styles.file} aria-busy={isReading}>
            <span className={styles.icon}>{isReading ? <Spinner /> : <CodeFileIcon size={20} />}</span>
            <span className={styles.texts}>
              <span className={styles.name}>{isReading ? packageState.name : code?.name}</span>
              <span className={styles.detail}>
                {isReading || !code ? t('code_reading') : t('code_replace', { size: bytes(code.size) })}
              </span>
            </span>
            {code && (
              <IconButton
                className={styles.remove}
                size="s"
                label={form('remove_named', { name: code.name })}
                icon={<TrashIcon size={16} />}
                onClick={removeCode}
              />
            )}
          </div>
        ) : undefined}
      </FileDrop>
    </FormField>
  );
}
