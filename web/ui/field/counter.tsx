import styles from './counter.module.css';

/** How many characters (code points) of a text are used of how many there may be. */
export function Counter({ value, max }: { value: string; max: number }) {
  const used = [...value].length;
  return (
    <span className={used > max ? styles.over : undefined}>
      {used}/{max}
    </span>
  );
}
