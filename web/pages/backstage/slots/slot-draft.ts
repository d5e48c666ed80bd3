import { siteLink } from '../../../../shared/site-link.ts';

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

/** A day at a time of day, both local; a time that a change of the clocks skips is the next one there is. */
export function momentOf(day: Date | undefined, time: string): Date | undefined {
  const [, hours, minutes] = /^(\d{2}):(\d{2})/.exec(time) ?? [];
  if (!day || hours === undefined || minutes === undefined) return undefined;
  return new Date(day.getFullYear(), day.getMonth(), day.getDate(), Number(hours), Number(minutes));
}

/** What is wrong with a draft, as specification section 5 has it; the service checks the same. */
export function slotProblems(draft: SlotDraft, now: number): SlotProblem[] {
  const problems: SlotProblem[] = [];
  if (draft.pluginKey === null) problems.push('plugin_missing');
  if (draft.link.trim() !== '' && siteLink(draft.link) === null) problems.push('link_wrong');
  const start = momentOf(draft.from, draft.fromTime);
  const end = momentOf(draft.to, draft.toTime);
  if (!start || !end) problems.push('duration_missing');
  else if (end <= start) problems.push('end_before_start');
  else if (end.getTime() <= now) problems.push('end_before_now');
  return problems;
}
