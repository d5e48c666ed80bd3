import type { ReactNode } from 'react';
import type { TextRun } from '../../../shared/entities/protocol.ts';

/** Words as they are dressed. Links have been checked where the text was read. */
export function TextRuns({ runs }: { runs: readonly TextRun[] }) {
  return runs.map((run, place) => <Run key={`${place} ${run.text}`} run={run} />);
}

function Run({ run: { text, strong, emphasis, href } }: { run: TextRun }) {
  if (text === '\n') return <br />;
  const words: ReactNode = strong ? <strong>{text}</strong> : emphasis ? <em>{text}</em> : text;
  return href === undefined ? words : <a href={href}>{words}</a>;
}
