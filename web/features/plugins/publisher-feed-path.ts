import { PUBLISHER_FEED_PATH } from '../../../shared/constants.ts';

/** Path of the feed of a publisher's plugins, by their id: the handle changes, subscriptions stay. */
export function publisherFeedPath(publisherId: number): string {
  return `${PUBLISHER_FEED_PATH}?publisher_id=${publisherId}`;
}
