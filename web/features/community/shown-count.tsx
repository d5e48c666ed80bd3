import { useFormatter } from 'use-intl';
import { COUNT_SHOWN_MAX } from '../../../shared/constants.ts';

/** A number of the header: '9999+' when it is larger than that (specification section 9). */
export function ShownCount({ value }: { value: number }) {
  const format = useFormatter();
  const text = format.number(Math.min(value, COUNT_SHOWN_MAX), { useGrouping: false });
  return value > COUNT_SHOWN_MAX ? `${text}+` : text;
}
