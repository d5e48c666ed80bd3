import { useMemo } from 'react';
import type { ResourceSlot, SlotFault } from '../../../../shared/entities/site.ts';
import { siteLink } from '../../../../shared/site-link.ts';
import { useSite } from '../../../api/site-context.ts';
import { pluginPath } from '../../../features/plugins/plugin-path.ts';

/** What is being filled in for a resource slot; days and times are the reader's own. */
export type SlotDraft = {
  pluginKey: string | null;
  link: string;
  from: Date | undefined;
  to: Date | undefined;
  /** HH:MM */
  fromTime: string;
  toTime: string;
};

export type SlotProblem =
  | 'plugin_missing'
  | 'link_wrong'
  | 'duration_missing'
  | 'end_before_start'
  | 'end_before_now';

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
export function momentOf(day: Date | undefined, time: string): Date | undefined {
  const [, hours, minutes] = /^(\d{2}):(\d{2})/.exec(time) ?? [];
  if (!day || hours === undefined || minutes === undefined) return undefined;
  return new Date(day.getFullYear(), day.getMonth(), day.getDate(), Number(hours), Number(minutes));
}

const EMPTY: SlotDraft = {
  pluginKey: null,
  link: '',
  from: undefined,
  to: undefined,
  fromTime: '00:00',
  toTime: '23:59',
};

/** What is there of a slot, as it is filled in; the page of its own plugin is no link of its own. */
export function draftOf(slot: ResourceSlot | undefined): SlotDraft {
  if (!slot) return EMPTY;
  const [start, end] = [new Date(slot.start_at), new Date(slot.end_at)];
  return {
    pluginKey: slot.plugin_key,
    link: slot.link === pluginPath(slot.plugin_key) ? '' : slot.link,
    from: start,
    to: end,
    fromTime: timeOf(start),
    toTime: timeOf(end),
  };
}

function timeOf(moment: Date): string {
  return [moment.getHours(), moment.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
}

/** Whether a draft begins, or ends, as it did: a time of the service may hold seconds, which nobody typed. */
export function isStart(moment: Date | undefined, { from, fromTime }: SlotDraft): boolean {
  return moment?.getTime() === momentOf(from, fromTime)?.getTime();
}

export function isEnd(moment: Date | undefined, { to, toTime }: SlotDraft): boolean {
  return moment?.getTime() === momentOf(to, toTime)?.getTime();
}

/**
 * What is wrong with a draft, as specification section 5 has it; the service checks the same. An end that stays as it
 * was may have passed.
 */
export function slotProblems(draft: SlotDraft, before: SlotDraft, now: number): SlotProblem[] {
  const problems: SlotProblem[] = [];
  if (draft.pluginKey === null) problems.push('plugin_missing');
  if (draft.link.trim() !== '' && siteLink(draft.link) === null) problems.push('link_wrong');
  const start = momentOf(draft.from, draft.fromTime);
  const end = momentOf(draft.to, draft.toTime);
  if (!start || !end) problems.push('duration_missing');
  else if (end <= start) problems.push('end_before_start');
  else if (end.getTime() <= now && !isEnd(end, before)) problems.push('end_before_now');
  return problems;
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
