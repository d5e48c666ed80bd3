import { createContext, type ReactNode, use } from 'react';
import type { TextBlock, TextItem, TextRun } from '../../../shared/entities/text-blocks.ts';
import { classNames } from '../class-names.ts';
import styles from './text-blocks.module.css';

type TextBlocksProps = {
  blocks: readonly TextBlock[];
  /** Language of the text, if that isn't the page's. */
  lang?: string | undefined;
  /** Written by a user: its line breaks stay, and search engines don't follow its links. */
  isByUser?: boolean;
};

/** Attributes of links by users, in a new tab. */
const BY_USER = { target: '_blank', rel: 'noopener noreferrer nofollow ugc' } as const;

const LinkAttributes = createContext<Partial<typeof BY_USER>>({});

/** Renders parsed text blocks without interpreting HTML. */
export function TextBlocks({ blocks, lang, isByUser = false }: TextBlocksProps) {
  return (
    <LinkAttributes value={isByUser ? BY_USER : {}}>
      <div className={classNames(styles.text, isByUser && styles.byUser)} lang={lang}>
        {blocks.map((block, place) => (
          <Block key={`${place} ${block.kind}`} block={block} />
        ))}
      </div>
    </LinkAttributes>
  );
}

function Block({ block }: { block: TextBlock }) {
  switch (block.kind) {
    case 'heading': {
      const Heading = `h${block.level}` as const;
      return (
        <Heading id={block.id === '' ? undefined : block.id}>
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
    case 'table':
      return <Table table={block} />;
    case 'quote':
      return (
        <blockquote>
          <TextRuns runs={block.runs} />
        </blockquote>
      );
    case 'code':
      return (
        <pre>
          <code>{block.text}</code>
        </pre>
      );
    default:
      return <hr />;
  }
}

function Table({ table: { align, head, rows } }: { table: Extract<TextBlock, { kind: 'table' }> }) {
  // A table wider than the text scrolls horizontally; it needs focus for keyboard scrolling.
  const scroller = { className: styles.scroll, tabIndex: 0, 'aria-label': head.map(wordsOf).join(', ') };
  return (
    <section {...scroller}>
      <table>
        <thead>
          <tr>
            {head.map((runs, column) => (
              <th key={`${column} ${wordsOf(runs)}`} scope="col" data-align={align[column] ?? undefined}>
                <TextRuns runs={runs} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            <tr key={`${row} ${wordsOf(cells[0] ?? [])}`}>
              {cells.map((runs, column) => (
                <td key={`${column} ${wordsOf(runs)}`} data-align={align[column] ?? undefined}>
                  <TextRuns runs={runs} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function wordsOf(runs: readonly TextRun[]): string {
  return runs.map(({ text }) => text).join('');
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

/** Entries with their nested entries. */
function entriesOf(items: readonly TextItem[]): { item: TextItem; below: TextItem[] }[] {
  const entries: { item: TextItem; below: TextItem[] }[] = [];
  for (const item of items) {
    const last = entries.at(-1);
    if (item.depth > 0 && last) last.below.push({ ...item, depth: 0 });
    else entries.push({ item, below: [] });
  }
  return entries;
}

/** Formatted text and pictures. The parser has already validated URLs. */
function TextRuns({ runs }: { runs: readonly TextRun[] }) {
  return runs.map((run, place) => <Run key={`${place} ${run.text}`} run={run} />);
}

function Run({ run: { text, strong, emphasis, code, href, src, width, height } }: { run: TextRun }) {
  const attributes = use(LinkAttributes);
  if (src !== undefined)
    return (
      <img className={styles.picture} src={src} alt={text} width={width} height={height} loading="lazy" />
    );
  if (text === '\n') return <br />;
  const formatted: ReactNode = strong ? <strong>{text}</strong> : emphasis ? <em>{text}</em> : text;
  const words = code ? <code>{formatted}</code> : formatted;
  if (href === undefined) return words;
  return (
    <a href={href} {...attributes}>
      {words}
    </a>
  );
}
