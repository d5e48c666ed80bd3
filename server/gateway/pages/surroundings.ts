import type { FastifyRequest } from 'fastify';
import type { Boot } from '../../../shared/boot.ts';
import type { GatewayConfig } from '../options.ts';
import { queryOf } from '../proxy/path.ts';

/** What of a page depends on the program that shows it. */
export type Surroundings = Pick<Boot, 'client' | 'embedded'>;

/**
 * Told by words of the user agent, or by `?client=desktop` and `?embed=chat`, which the page then keeps for its tab
 * (design section 5).
 */
export function surroundingsOf(
  config: Pick<GatewayConfig, 'embedUserAgents' | 'desktopUserAgent'>,
  request: Pick<FastifyRequest, 'headers' | 'raw'>,
): Surroundings {
  const agent = (request.headers['user-agent'] ?? '').toLowerCase();
  const query = new URLSearchParams(queryOf(request.raw.url ?? '/'));
  const names = (word: string): boolean => agent.includes(word.toLowerCase());
  const { desktopUserAgent: own } = config;
  const isDesktop = query.get('client') === 'desktop' || (own !== undefined && names(own));
  return {
    client: isDesktop ? 'desktop' : 'browser',
    embedded: query.get('embed') === 'chat' || config.embedUserAgents.some(names),
  };
}
