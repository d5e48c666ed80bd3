import { useFormatter } from 'use-intl';

const KILOBYTE = 1024;

/** Formats a number of bytes: 391 kB, 2.4 MB. */
export function useFormatBytes(): (bytes: number) => string {
  const format = useFormatter();
  return (bytes) => {
    const isSmall = bytes < KILOBYTE * KILOBYTE;
    const value = bytes / (isSmall ? KILOBYTE : KILOBYTE * KILOBYTE);
    return format.number(value, {
      style: 'unit',
      unit: isSmall ? 'kilobyte' : 'megabyte',
      unitDisplay: 'short',
      maximumFractionDigits: value < 10 ? 1 : 0,
    });
  };
}
