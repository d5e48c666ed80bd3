import type { Dispatcher } from 'undici';
import type { Upstream } from '../../upstream.ts';
import type { ProxyCall } from '../access.ts';

/** What the library sends for a call; it takes up to three attempts, of which one is answered. */
export type Exchange = {
  upstream: Upstream;
  call: ProxyCall;
  /** Sends one attempt to the service. */
  dispatch: Dispatcher.Dispatch;
  options: Dispatcher.DispatchOptions;
  /** The library's. */
  handler: Dispatcher.DispatchHandler;
  /** It can be sent again with a new token (R 9.18). */
  mayRefresh: boolean;
  /** It can be sent again if there was no response (R 10.10). */
  mayRetry: boolean;
};

export type Attempt = (exchange: Exchange) => boolean;
