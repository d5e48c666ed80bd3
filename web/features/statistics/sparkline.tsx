import styles from './statistics.module.css';

const WIDTH = 100;
const HEIGHT = 28;
const LINE = 1.5;

type Props = {
  /** One per day, oldest first; the last day is not over yet. */
  values: readonly number[];
  /** Text description of the line. */
  label: string;
};

/** A small line chart with its sum as text. */
export function Sparkline({ values, label }: Props) {
  const most = Math.max(1, ...values);
  const points = values.map((value, day) => {
    const x = (day / Math.max(1, values.length - 1)) * WIDTH;
    return `${x.toFixed(1)},${(HEIGHT - LINE - (value / most) * (HEIGHT - 2 * LINE)).toFixed(1)}`;
  });
  return (
    <figure className={styles.sparkline}>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <polygon className={styles.area} points={`0,${HEIGHT} ${points.join(' ')} ${WIDTH},${HEIGHT}`} />
        <polyline
          className={styles.line}
          points={points.slice(0, -1).join(' ')}
          vectorEffect="non-scaling-stroke"
        />
        <polyline
          className={styles.line}
          points={points.slice(-2).join(' ')}
          strokeDasharray="2 2"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <figcaption>{label}</figcaption>
    </figure>
  );
}
