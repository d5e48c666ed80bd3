import { useCallback, useRef, useState } from 'react';
import { useInfiniteScroll } from '../../../../../web/ui/use-infinite-scroll.ts';
import styles from './scroll-part.module.css';

const ALL = 40;

/** A list that grows by one line at a time, so that its end stays in sight for a while; a line knows when it was asked for. The button adds a whole page. */
export function ScrollPart() {
  const [lines, setLines] = useState([0]);
  const end = useRef<HTMLDivElement>(null);
  const more = useCallback(() => {
    const asked = performance.now();
    setLines((before) => [...before, asked]);
  }, []);
  const addPage = () =>
    setLines((before) => [...before, ...Array.from({ length: 10 }, (_, line) => before.length + line)]);
  useInfiniteScroll(end, { isOn: lines.length < ALL, onMore: more });
  return (
    <div>
      <ol>
        {lines.map((asked) => (
          <li key={asked} className={styles.line} data-asked={asked}>
            line
          </li>
        ))}
      </ol>
      <div ref={end} className={styles.end} />
      <button type="button" onClick={addPage}>
        After the list
      </button>
    </div>
  );
}
