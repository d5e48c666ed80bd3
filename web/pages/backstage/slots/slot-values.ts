import { useMemo } from 'react';
import type { ResourceSlot, SlotFault } from '../../../../shared/entities/site.ts';
import { useSite } from '../../../api/site-context.ts';
import { pluginPath } from '../../../features/plugins/plugin-path.ts';

/** Form values of a resource slot; the plugin key is empty without a plugin. */
export type SlotValues = { pluginKey: string; link: string; duration: Duration };

/** Days and times are local. */
export type Duration = {
  from: Date | undefined;
  to: Date | undefined;
  /** HH:MM */
  fromTime: string;
  toTime: string;
};

const INVALID_REASONS: ReadonlySet<string> = new Set<SlotFault>([
  'disabled',
  'plugin_deleted',
  'plugin_hidden',
  'plugin_waiting',
  'plugin_refused',
  'plugin_without_version',
]);

/** Why a slot is invalid, if this client has a text for it. */
export function knownInvalidReasons({ faults }: Pick<ResourceSlot, 'faults'>): SlotFault[] {
  return faults?.filter((fault) => INVALID_REASONS.has(fault)) ?? [];
}

/** A local date and time; a time skipped by daylight saving becomes the next valid one. */
export function dateTimeOf(day: Date | undefined, time = ''): Date | undefined {
  const [, hours, minutes] = /^(\d{2}):(\d{2})/.exec(time) ?? [];
  if (!day || hours === undefined || minutes === undefined) return undefined;
  return new Date(day.getFullYear(), day.getMonth(), day.getDate(), Number(hours), Number(minutes));
}

/** Form values of an existing slot; the page of its own plugin isn't a custom link. */
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

function timeOf(dateTime: Date): string {
  return [dateTime.getHours(), dateTime.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
}

/** Whether a start or end is unchanged: stored times may have seconds, which the form doesn't show. */
export function isStart(dateTime: Date, before: Partial<Duration> = {}): boolean {
  return dateTime.getTime() === dateTimeOf(before.from, before.fromTime)?.getTime();
}

export function isEnd(dateTime: Date, before: Partial<Duration> = {}): boolean {
  return dateTime.getTime() === dateTimeOf(before.to, before.toTime)?.getTime();
}

/**
 * Validates a duration (R 7.9); the service checks the same. An unchanged end may be in the past.
 */
export function durationProblem(duration: Duration, before: Partial<Duration> | undefined, now: number) {
  const start = dateTimeOf(duration.from, duration.fromTime);
  const end = dateTimeOf(duration.to, duration.toTime);
  if (!start || !end) return 'duration_missing';
  if (end <= start) return 'end_before_start';
  return end.getTime() <= now && !isEnd(end, before) ? 'end_before_now' : undefined;
}

/** Name of the reader's time zone with its current UTC offset: "Europe/Berlin (GMT+1)". */
export function useTimeZone(): string {
  const { language } = useSite();
  return useMemo(() => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const parts = new Intl.DateTimeFormat(language, { timeZoneName: 'shortOffset' }).formatToParts();
    const offset = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
    return `${timeZone} (${offset})`;
  }, [language]);
}
