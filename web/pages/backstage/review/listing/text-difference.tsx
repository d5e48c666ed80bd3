import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { ShortText } from '../../../../ui/visually-hidden/short-text.tsx';
import { wordDifference } from '../difference/word-difference.ts';
import styles from './listing.module.css';

type Props = { before: string; after: string; lang: string };

/** One text with what was taken out and put in. */
export function TextDifference({ before, after, lang }: Props) {
  const t = useTranslations('review');
  const pieces = useMemo(() => wordDifference(before, after, lang), [before, after, lang]);
  return (
    <p className={styles.text}>
      {pieces.map(({ kind, text }, place) => {
        const key = `${place} ${kind}`;
        if (kind === 'same') return <span key={key}>{text}</span>;
        const Mark = kind === 'added' ? 'ins' : 'del';
        return (
          <Mark key={key} className={styles[kind]}>
            <ShortText full={t(kind === 'added' ? 'marked_added' : 'marked_removed', { text })}>
              {text}
            </ShortText>
          </Mark>
        );
      })}
    </p>
  );
}
