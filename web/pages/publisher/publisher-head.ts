import type { ProfilePage, WithContext } from 'schema-dts';
import type { Publisher } from '../../../shared/entities/publisher.ts';
import { pictureUrl } from '../../../shared/media.ts';
import { publisherFeedPath } from '../../features/plugins/publisher-feed-path.ts';
import { publisherPath } from '../../features/publishers/publisher-path.ts';
import type { HeadPicture, PageHead } from '../../layout/page-head.tsx';

/** Metadata of a publisher's page for title bars, search engines and share cards. */
export function publisherHead(publisher: Publisher, description: string): PageHead {
  const image = shareImage(publisher);
  return {
    title: publisher.nick_name,
    description,
    canonical: publisherPath(publisher.handle),
    ...(image && { image }),
    feed: { path: publisherFeedPath(publisher.user_id), title: publisher.nick_name },
    data: (absolute) => publisherData(publisher, absolute),
  };
}

/** The widest cover of their most popular plugin that has one. */
function shareImage({ nick_name, picture_list }: Publisher): HeadPicture | undefined {
  const [picture] = picture_list.flatMap(({ cover }) => (cover ? [cover] : []));
  if (!picture) return undefined;
  const width = Math.max(...picture.widths);
  const height = Math.round((width * picture.height) / picture.width);
  return { path: pictureUrl(picture.key, width), width, height, alt: nick_name };
}

/** A publisher in the terms of schema.org. */
function publisherData(
  { handle, nick_name, avatar_url, about, links, total }: Publisher,
  absolute: (path: string) => string,
): WithContext<ProfilePage> {
  return {
    '@context': 'https://schema.org',
    '@type': 'ProfilePage',
    url: absolute(publisherPath(handle)),
    mainEntity: {
      '@type': 'Person',
      name: nick_name,
      alternateName: handle,
      ...(about !== '' && { description: about }),
      ...(avatar_url !== '' && { image: absolute(avatar_url) }),
      ...(links.length > 0 && { sameAs: links }),
      agentInteractionStatistic: {
        '@type': 'InteractionCounter',
        interactionType: { '@type': 'CreateAction' },
        userInteractionCount: total,
      },
    },
  };
}
