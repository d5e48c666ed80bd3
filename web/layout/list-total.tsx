import { useFormatter } from 'use-intl';

type Totals = { total: number; total_estimated: boolean };

/** The length of a list: "1,234", or "10,000+" where it is a lower bound. */
export function ListTotal({ of: { total, total_estimated } }: { of: Totals }) {
  const format = useFormatter();
  return (
    <>
      {format.number(total)}
      {total_estimated && '+'}
    </>
  );
}
