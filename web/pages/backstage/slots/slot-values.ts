import { useMemo } from 'react';
import type { ResourceSlot, SlotFault } from '../../../../shared/entities/site.ts';
import { useSite } from '../../../api/site-context.ts';
import { pluginPath } from '../../../features/plugins/plugin-path.ts';

/** What is filled in for a resource slot; no plugin is chosen while its key is empty. */
export type SlotValues = { pluginKey: string; link: string; duration: Duration };

/** Days and times of day are the reader's own. */
export type Duration = {
  from: Date | undefined;
  to: Date | undefined;
  /** HH:MM */
  fromTime: string;
  toTime: string;
};

const FAULTS: ReadonlySet<string> = new Set<SlotFault>([
  'disabled',
  'plugin_deleted',
  'plugin_hidden',
  'plugin_waiting',
  'plugin_refused',
  'plugin_without_version',
]);

/** Why a slot is invalid, as far as this client has words for it. */
export function knownFaults({ faults }: Pick<ResourceSlot, 'faults'>): SlotFault[] {
  return faults?.filter((fault) => FAULTS.has(fault)) ?? [];
}

/** A day at a time of day, both local; a time that a change of the clocks skips is the next one there is. */
export function momentOf(day: Date | undefined, time = ''): Date | undefined {
  const [, hours, minutes] = /^(\d{2}):(\d{2})/.exec(time) ?? [];
  if (!day || hours === undefined || minutes === undefined) return undefined;
  return new Date(day.getFullYear(), day.getMonth(), day.getDate(), Number(hours), Number(minutes));
}

/** What is there of a slot, as it is filled in; the page of its own plugin is no link of its own. */
export function valuesOf(slot: ResourceSlot | undefined): SlotValues {
  if (!slot) {
    const duration = { from: undefined, to: undefined, fromTime: '00:00', toTime: '23:59' };
    return { pluginKey: '', link: '', duration };
  }
  const [from, to] = [new Date(slot.start_at), new Date(slot.end_at)];
  return {
    pluginKey: slot.plugin_key,
    link: slot.link === pluginPath(slot.plugin_key) ? '' : slot.link,
    duration: { from, to, fromTime: timeOf(from), toTime: timeOf(to) },
  };
}

function timeOf(moment: Date): string {
  return [moment.getHours(), moment.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
}

/** Whether a slot begins, or ends, as it did: a time of the service may hold seconds, which nobody typed. */
export function isStart(moment: Date, before: Partial<Duration> = {}): boolean {
  return moment.getTime() === momentOf(before.from, before.fromTime)?.getTime();
}

export function isEnd(moment: Date, before: Partial<Duration> = {}): boolean {
  return moment.getTime() === momentOf(before.to, before.toTime)?.getTime();
}

/**
 * What is wrong with a duration, as specification section 5 has it; the service checks the same. An end that stays as
 * it was may have passed.
 */
export function durationProblem(duration: Duration, before: Partial<Duration> | undefined, now: number) {
  const start = momentOf(duration.from, duration.fromTime);
  const end = momentOf(duration.to, duration.toTime);
  if (!start || !end) return 'duration_missing';
  if (end <= start) return 'end_before_start';
  return end.getTime() <= now && !isEnd(end, before) ? 'end_before_now' : undefined;
}

/** The reader's time zone as it is called, with its present distance to UTC: "Europe/Berlin (GMT+1)". */
export function useTimeZone(): string {
  const { language } = useSite();
  return useMemo(() => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const parts = new Intl.DateTimeFormat(language, { timeZoneName: 'shortOffset' }).formatToParts();
    const offset = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
    return `${timeZone} (${offset})`;
  }, [language]);
}
