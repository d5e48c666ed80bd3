import { HOST_RANGE_MAX, isHostRange } from '../hosts.ts';
import { type Check, isObjectAt, text } from './checks.ts';

const isText = text({ limit: HOST_RANGE_MAX, isFilled: true });

/** Ranges of versions by design tool, such as `{ "pixso": ">=4.2" }`. */
export const engines: Check = (value, path, context) => {
  if (!isObjectAt(value, path, context)) return;
  const { report, hosts } = context;
  for (const [host, range] of Object.entries(value)) {
    const at = [...path, host];
    if (hosts && !hosts.includes(host)) {
      report.key(at, 'ENGINE_UNKNOWN', { host, known: hosts.join(', ') });
      continue;
    }
    isText(range, at, context);
    if (typeof range === 'string' && range.trim() !== '' && !isHostRange(range)) {
      report.value(at, 'ENGINE_RANGE', { value: range });
    }
  }
};
