import styles from './tile-pattern.module.css';

const SIZE = 84;
const STEP = 100;

type Tile = { column: number; row: number; look: 'faint' | 'soft' | 'bright'; shape: string };

/** Where the blocks lie and what is drawn on them, in a field of 600 by 500. */
const TILES: readonly Tile[] = [
  { column: 1, row: 0, look: 'faint', shape: '' },
  { column: 3, row: 0, look: 'soft', shape: 'M27 42h30M42 27v30' },
  { column: 4, row: 0, look: 'faint', shape: '' },
  { column: 5, row: 0, look: 'soft', shape: 'M28 54 38 42l8 8 12-18' },
  { column: 2, row: 1, look: 'soft', shape: 'M30 30h24v24H30z' },
  { column: 3, row: 1, look: 'bright', shape: 'M42 24v22M32 37l10 10 10-10M26 58h32' },
  { column: 5, row: 1, look: 'faint', shape: '' },
  { column: 4, row: 2, look: 'soft', shape: 'M42 27a15 15 0 1 1-.1 0M42 34v9l6 4' },
  { column: 5, row: 2, look: 'bright', shape: 'M30 42l9 9 16-19' },
  { column: 2, row: 2, look: 'faint', shape: '' },
  { column: 4, row: 3, look: 'faint', shape: '' },
  { column: 5, row: 3, look: 'faint', shape: '' },
];

/** Blocks being put together; decoration alone. */
export function TilePattern({ className }: { className: string | undefined }) {
  return (
    <svg className={className} viewBox="0 0 600 500" fill="none" aria-hidden="true" focusable="false">
      {TILES.map(({ column, row, look, shape }) => (
        <g
          key={`${column}-${row}`}
          className={styles[look]}
          transform={`translate(${column * STEP} ${row * STEP})`}
        >
          <rect className={styles.block} x={8} y={8} width={SIZE} height={SIZE} rx={22} />
          {shape !== '' && <path className={styles.sign} transform="translate(8 8)" d={shape} />}
        </g>
      ))}
    </svg>
  );
}
