import { PUBLISHER_PATH } from '../../../shared/constants.ts';

/** Path of a publisher's page. */
export function publisherPath(handle: string): string {
  return `${PUBLISHER_PATH}${handle}`;
}
