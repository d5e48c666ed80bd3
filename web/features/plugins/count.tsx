import { useFormatter } from 'use-intl';

/** A number in the page's language, compact from a thousand on: 1.2K, 1.2万, 1,2 тыс. */
export function Count({ value }: { value: number }) {
  const format = useFormatter();
  const text = format.number(value, { notation: 'compact', maximumFractionDigits: 1 });
  return <span suppressHydrationWarning>{text}</span>;
}
