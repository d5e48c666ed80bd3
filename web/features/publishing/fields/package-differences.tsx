import { type ReactNode, useId } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { LANGUAGE_NAMES } from '../../../../shared/languages.ts';
import { pictureUrl } from '../../../../shared/media.ts';
import { Button } from '../../../ui/button/button.tsx';
import { shownPicture } from '../files/picture-choice.ts';
import type { IconDifference } from '../files/use-code-file.ts';
import { useForm } from '../publish-form-context.ts';
import type { Difference, PlaceValue } from '../values/package-values.ts';
import styles from './package-differences.module.css';

/** What a person has written and the package says otherwise: theirs stays until they decide. */
export function PackageDifferences({ onDecided }: { onDecided: () => void }) {
  const t = useTranslations('publish');
  const id = useId();
  const { differences, decide, iconDifference, decideIcon } = useForm();
  const count = differences.length + (iconDifference ? 1 : 0);
  const decideOne = (difference: Difference, whose: Whose): void => {
    decide(difference, whose);
    onDecided();
  };
  const decideAll = (whose: Whose): void => {
    for (const difference of differences) decide(difference, whose);
    decideIcon(whose);
    onDecided();
  };
  if (count === 0) return null;
  return (
    <section className={styles.differences} aria-labelledby={id}>
      <h3 className={styles.title} id={id}>
        {t('differences', { count })}
      </h3>
      <ul className={styles.rows}>
        {differences.map((one) => (
          <Row
            key={`${one.field} ${one.language ?? ''}`}
            difference={one}
            onDecide={(whose) => decideOne(one, whose)}
          />
        ))}
        {iconDifference && (
          <IconRow
            difference={iconDifference}
            onDecide={(whose) => {
              decideIcon(whose);
              onDecided();
            }}
          />
        )}
      </ul>
      {count > 1 && (
        <div className={styles.actions}>
          <Button variant="quiet" size="s" onClick={() => decideAll('mine')}>
            {t('keep_all')}
          </Button>
          <Button variant="quiet" size="s" onClick={() => decideAll('packaged')}>
            {t('use_packaged_all')}
          </Button>
        </div>
      )}
    </section>
  );
}

type Whose = 'mine' | 'packaged';
type RowProps<Kind> = { difference: Kind; onDecide: (whose: Whose) => void };

function Row({ difference, onDecide }: RowProps<Difference>) {
  const t = useTranslations('publish');
  const say = useValueText();
  const { field, language, mine, packaged } = difference;
  const name = t(`field_${field}`);
  return (
    <Sides
      name={language ? t('field_in', { field: name, language: LANGUAGE_NAMES[language] }) : name}
      lang={language}
      mine={say(mine)}
      packaged={say(packaged)}
      onDecide={onDecide}
    />
  );
}

/** Two pictures, each by its file. */
function IconRow({ difference: { mine, url }, onDecide }: RowProps<IconDifference>) {
  const t = useTranslations('publish');
  const { packageState } = useForm();
  const shown = shownPicture(mine);
  const packaged = packageState.state === 'none' ? '' : t('icon_from', { name: packageState.name });
  return (
    <Sides
      name={t('field_icon')}
      mine={
        shown ? (
          <Figure
            src={pictureUrl(shown.key, shown.widths[0] ?? shown.width)}
            name={mine.state === 'chosen' ? mine.file.name : t('icon_kept')}
          />
        ) : (
          t('difference_none')
        )
      }
      packaged={<Figure src={url} name={packaged} />}
      onDecide={onDecide}
    />
  );
}

function Figure({ src, name }: { src: string; name: string }) {
  return (
    <figure className={styles.figure}>
      <img className={styles.icon} src={src} alt="" />
      <figcaption>{name}</figcaption>
    </figure>
  );
}

type SidesProps = {
  name: string;
  lang?: string | undefined;
  mine: ReactNode;
  packaged: ReactNode;
  onDecide: (whose: Whose) => void;
};

function Sides({ name, lang, mine, packaged, onDecide }: SidesProps) {
  const t = useTranslations('publish');
  const id = useId();
  return (
    <li className={styles.row} aria-labelledby={id}>
      <p className={styles.name} id={id}>
        {name}
      </p>
      <dl className={styles.sides}>
        <div>
          <dt>{t('difference_mine')}</dt>
          <dd lang={lang}>{mine}</dd>
        </div>
        <div>
          <dt>{t('difference_packaged')}</dt>
          <dd lang={lang}>{packaged}</dd>
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
  const t = useTranslations('publish');
  const format = useFormatter();
  const { tags, rules } = useForm();
  const nameOf = (code: string): string =>
    tags.find((tag) => tag.code === code)?.name ??
    rules?.tag_list?.find((tag) => tag.code === code)?.names[0] ??
    code;
  return (value: PlaceValue): string => {
    if (value.length === 0) return t('difference_none');
    return typeof value === 'string' ? value : format.list(value.map(nameOf));
  };
}
