import { useCallback, useRef } from 'react';
import { DIALOG_CLICK_THROTTLE } from '../../../shared/constants.ts';

type Moment = Pick<Event, 'timeStamp'>;

/** Says whether a click counts: one that follows within 20 ms of the last that did is a slip of the same finger. */
export function useClickThrottle(): (click: Moment) => boolean {
  const last = useRef(Number.NEGATIVE_INFINITY);
  return useCallback(({ timeStamp }: Moment) => {
    if (timeStamp - last.current < DIALOG_CLICK_THROTTLE) return false;
    last.current = timeStamp;
    return true;
  }, []);
}
