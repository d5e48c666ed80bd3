import { useTranslations } from 'use-intl';
import type { Protocol } from '../../../shared/entities/protocol.ts';
import styles from './protocol-page.module.css';

/** A text with fewer sections is seen at a glance. */
const WORTH_CONTENTS = 4;

/** The sections of a long text, as links to them. */
export function ProtocolContents({ protocol }: { protocol: Protocol }) {
  const t = useTranslations('protocol');
  const sections = protocol.blocks.flatMap((block) =>
    block.kind === 'heading' && block.level === 2
      ? [{ id: block.id, title: block.runs.map(({ text }) => text).join('') }]
      : [],
  );
  if (sections.length < WORTH_CONTENTS) return null;
  return (
    <nav className={styles.contents} aria-labelledby="contents">
      <h2 id="contents" className={styles.contentsTitle}>
        {t('contents')}
      </h2>
      <ol className={styles.sections} lang={protocol.lang}>
        {sections.map(({ id, title }) => (
          <li key={id}>
            <a className={styles.section} href={`#${id}`}>
              {title}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}
