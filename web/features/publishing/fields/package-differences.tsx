import { useId } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { LANGUAGE_NAMES } from '../../../../shared/languages.ts';
import { Button } from '../../../ui/button/button.tsx';
import { useForm } from '../publish-form-context.ts';
import type { Difference, PlaceValue } from '../values/package-values.ts';
import styles from './package-differences.module.css';

/** What a person has written and the package says otherwise: theirs stays until they decide. */
export function PackageDifferences({ onDecided }: { onDecided: () => void }) {
  const t = useTranslations('publish');
  const id = useId();
  const { differences, decide } = useForm();
  const decideAll = (decided: readonly Difference[], whose: 'mine' | 'packaged'): void => {
    for (const difference of decided) decide(difference, whose);
    onDecided();
  };
  if (differences.length === 0) return null;
  return (
    <section className={styles.differences} aria-labelledby={id}>
      <h3 className={styles.title} id={id}>
        {t('differences', { count: differences.length })}
      </h3>
      <ul className={styles.rows}>
        {differences.map((one) => (
          <Row
            key={`${one.field} ${one.language ?? ''}`}
            difference={one}
            onDecide={(whose) => decideAll([one], whose)}
          />
        ))}
      </ul>
      {differences.length > 1 && (
        <div className={styles.actions}>
          <Button variant="quiet" size="s" onClick={() => decideAll(differences, 'mine')}>
            {t('keep_all')}
          </Button>
          <Button variant="quiet" size="s" onClick={() => decideAll(differences, 'packaged')}>
            {t('use_packaged_all')}
          </Button>
        </div>
      )}
    </section>
  );
}

type RowProps = { difference: Difference; onDecide: (whose: 'mine' | 'packaged') => void };

function Row({ difference, onDecide }: RowProps) {
  const t = useTranslations('publish');
  const id = useId();
  const say = useValueText();
  const { field, language, mine, packaged } = difference;
  const name = t(`field_${field}`);
  return (
    <li className={styles.row} aria-labelledby={id}>
      <p className={styles.name} id={id}>
        {language ? t('field_in', { field: name, language: LANGUAGE_NAMES[language] }) : name}
      </p>
      <dl className={styles.sides}>
        <div>
          <dt>{t('difference_mine')}</dt>
          <dd lang={language}>{say(mine)}</dd>
        </div>
        <div>
          <dt>{t('difference_packaged')}</dt>
          <dd lang={language}>{say(packaged)}</dd>
        </div>
      </dl>
      <div className={styles.actions}>
        <Button variant="outline" size="s" aria-describedby={id} onClick={() => onDecide('mine')}>
          {t('keep_mine')}
        </Button>
        <Button variant="outline" size="s" aria-describedby={id} onClick={() => onDecide('packaged')}>
          {t('use_packaged')}
        </Button>
      </div>
    </li>
  );
}

function useValueText() {
  const format = useFormatter();
  const { tags, rules } = useForm();
  const nameOf = (code: string): string =>
    tags.find((tag) => tag.code === code)?.name ??
    rules?.tag_list?.find((tag) => tag.code === code)?.names[0] ??
    code;
  return (value: PlaceValue): string => (typeof value === 'string' ? value : format.list(value.map(nameOf)));
}
