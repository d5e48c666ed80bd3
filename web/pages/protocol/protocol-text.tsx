import type { Protocol, TextBlock, TextItem } from '../../../shared/entities/protocol.ts';
import styles from './protocol-page.module.css';
import { TextRuns } from './text-runs.tsx';

/** The blocks of the text, as elements; nothing in it is ever read as HTML. */
export function ProtocolText({ protocol: { blocks, lang } }: { protocol: Protocol }) {
  return (
    <div className={styles.text} lang={lang}>
      {blocks.map((block, place) => (
        <Block key={`${place} ${block.kind}`} block={block} />
      ))}
    </div>
  );
}

function Block({ block }: { block: TextBlock }) {
  switch (block.kind) {
    case 'heading': {
      const Heading = `h${block.level}` as const;
      return (
        <Heading id={block.id}>
          <TextRuns runs={block.runs} />
        </Heading>
      );
    }
    case 'paragraph':
      return (
        <p>
          <TextRuns runs={block.runs} />
        </p>
      );
    case 'list':
      return <List ordered={block.ordered} items={block.items} />;
    default:
      return <hr />;
  }
}

function List({ ordered, items }: { ordered: boolean; items: readonly TextItem[] }) {
  const Tag = ordered ? 'ol' : 'ul';
  return (
    <Tag>
      {entriesOf(items).map(({ item, below }, place) => (
        <li key={`${place} ${item.runs[0]?.text ?? ''}`}>
          <TextRuns runs={item.runs} />
          {below.length > 0 && <List ordered={false} items={below} />}
        </li>
      ))}
    </Tag>
  );
}

/** Entries with what is nested below each. */
function entriesOf(items: readonly TextItem[]): { item: TextItem; below: TextItem[] }[] {
  const entries: { item: TextItem; below: TextItem[] }[] = [];
  for (const item of items) {
    const last = entries.at(-1);
    if (item.depth > 0 && last) last.below.push({ ...item, depth: 0 });
    else entries.push({ item, below: [] });
  }
  return entries;
}
