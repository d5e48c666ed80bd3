import styles from './plain-text.module.css';
import { type TextBlock, textBlocks } from './text-blocks.ts';

type PlainTextProps = { text: string; lang?: string | undefined };

/** A publisher's text with paragraphs and lists; HTML in it is escaped. */
export function PlainText({ text, lang }: PlainTextProps) {
  return (
    <div className={styles.text} lang={lang}>
      {textBlocks(text).map((block, index) => (
        <Block key={`${index} ${block.kind}`} block={block} />
      ))}
    </div>
  );
}

function Block({ block: { kind, lines } }: { block: TextBlock }) {
  if (kind === 'paragraph') return <p>{lines.join('\n')}</p>;
  const items = lines.map((line) => <li key={line}>{line}</li>);
  return kind === 'bullets' ? <ul>{items}</ul> : <ol>{items}</ol>;
}
