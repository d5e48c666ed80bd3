import { type ReactNode, useId } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { LANGUAGE_NAMES } from '../../../../../shared/languages.ts';
import { pictureUrl } from '../../../../../shared/media.ts';
import { Button } from '../../../../ui/button/button.tsx';
import { shownPicture } from '../files.ts';
import { decide, differencesIn, type IconDifference, iconDifferenceIn } from '../form-state.ts';
import type { Difference, FieldValue } from '../package-values.ts';
import { useForm } from '../use-form.ts';
import styles from './package-differences.module.css';

type Side = 'mine' | 'packaged';

/** Fields in which the user's input differs from the package: theirs stays until they decide. */
export function PackageDifferences({ onDecided }: { onDecided: () => void }) {
  const t = useTranslations('publish');
  const id = useId();
  const { state, change, decideIcon } = useForm();
  const differences = differencesIn(state);
  const iconDifference = iconDifferenceIn(state);
  const count = differences.length + (iconDifference ? 1 : 0);
  const resolveAll = (side: Side): void => {
    change((now) => differences.reduce((rest, one) => decide(rest, one, side), now));
    decideIcon(side);
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
          <FieldRow
            key={`${one.field} ${one.language ?? ''}`}
            difference={one}
            onDecide={(side) => {
              change((now) => decide(now, one, side));
              onDecided();
            }}
          />
        ))}
        {iconDifference && (
          <IconRow
            difference={iconDifference}
            onDecide={(side) => {
              decideIcon(side);
              onDecided();
            }}
          />
        )}
      </ul>
      {count > 1 && (
        <div className={styles.actions}>
          <Button variant="quiet" size="s" onClick={() => resolveAll('mine')}>
            {t('keep_all')}
          </Button>
          <Button variant="quiet" size="s" onClick={() => resolveAll('packaged')}>
            {t('use_packaged_all')}
          </Button>
        </div>
      )}
    </section>
  );
}

type RowProps<Kind> = { difference: Kind; onDecide: (side: Side) => void };

function FieldRow({ difference, onDecide }: RowProps<Difference>) {
  const t = useTranslations('publish');
  const format = useFormatter();
  const { tags, rules } = useForm();
  const { field, language, mine, packaged } = difference;
  const name = t(`field_${field}`);
  const tagName = (code: string): string =>
    tags.find((tag) => tag.code === code)?.name ??
    rules?.tag_list?.find((tag) => tag.code === code)?.names[0] ??
    code;
  const textOf = (value: FieldValue): string => {
    if (value.length === 0) return t('difference_none');
    return typeof value === 'string' ? value : format.list(value.map(tagName));
  };
  return (
    <Row
      name={language ? t('field_in', { field: name, language: LANGUAGE_NAMES[language] }) : name}
      lang={language}
      mine={textOf(mine)}
      packaged={textOf(packaged)}
      onDecide={onDecide}
    />
  );
}

function IconRow({ difference: { mine, url }, onDecide }: RowProps<IconDifference>) {
  const t = useTranslations('publish');
  const { packageState } = useForm().state;
  const shown = shownPicture(mine);
  const mineUrl = shown && pictureUrl(shown.key, shown.widths[0] ?? shown.width);
  const mineName = mine.state === 'chosen' ? mine.file.name : t('icon_kept');
  const packaged = packageState.state === 'none' ? '' : t('icon_from', { name: packageState.name });
  return (
    <Row
      name={t('field_icon')}
      mine={mineUrl ? <PictureFigure src={mineUrl} name={mineName} /> : t('difference_none')}
      packaged={<PictureFigure src={url} name={packaged} />}
      onDecide={onDecide}
    />
  );
}

function PictureFigure({ src, name }: { src: string; name: string }) {
  return (
    <figure className={styles.figure}>
      <img className={styles.icon} src={src} alt="" />
      <figcaption>{name}</figcaption>
    </figure>
  );
}

type BothProps = {
  name: string;
  lang?: string | undefined;
  mine: ReactNode;
  packaged: ReactNode;
  onDecide: (side: Side) => void;
};

function Row({ name, lang, mine, packaged, onDecide }: BothProps) {
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
