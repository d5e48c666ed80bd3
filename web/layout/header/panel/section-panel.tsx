import BookOpenIcon from 'lucide-react/icons/book-open';
import Building2Icon from 'lucide-react/icons/building-2';
import CircleQuestionMarkIcon from 'lucide-react/icons/circle-question-mark';
import ComponentIcon from 'lucide-react/icons/component';
import ExternalLinkIcon from 'lucide-react/icons/external-link';
import FlagIcon from 'lucide-react/icons/flag';
import GiftIcon from 'lucide-react/icons/gift';
import GraduationCapIcon from 'lucide-react/icons/graduation-cap';
import LayoutDashboardIcon from 'lucide-react/icons/layout-dashboard';
import MailIcon from 'lucide-react/icons/mail';
import MessageSquareTextIcon from 'lucide-react/icons/message-square-text';
import PenToolIcon from 'lucide-react/icons/pen-tool';
import PlugIcon from 'lucide-react/icons/plug';
import PresentationIcon from 'lucide-react/icons/presentation';
import ServerIcon from 'lucide-react/icons/server';
import SquarePlayIcon from 'lucide-react/icons/square-play';
import UsersIcon from 'lucide-react/icons/users';
import type { LucideIcon } from 'lucide-react/types';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { isPrivate } from '../../../../shared/deploy-types.ts';
import { useSite } from '../../../api/site-context.ts';
import { Lazy } from '../../../loading/lazy.tsx';
import { lazyWithRetry } from '../../../loading/lazy-with-retry.ts';
import { VisuallyHidden } from '../../../ui/visually-hidden/visually-hidden.tsx';
import { useSiteAddress } from '../../site-address.ts';
import { useClientContext } from '../../use-client-context.ts';
import { TargetLink } from '../target-link.tsx';
import { type LinkName, type MenuLink, type Section, sectionText } from '../targets/target.ts';
import placeListStyles from './place-list.module.css';
import styles from './section-panel.module.css';

/** Pixels between a panel and the window's edge. */
const EDGE = 16;

type Props = {
  id: string;
  /** Without one, the panel holds the sections that don't fit into the row. */
  section: Section | undefined;
  sections: readonly Section[];
  /** Whether its first link gets focus. */
  takesFocus: boolean;
  onLeave: () => void;
};

/** The panel below a header item; loaded on first use. */
export function SectionPanel({ id, section, sections, takesFocus, onLeave }: Props) {
  const panel = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = panel;
    if (!current) return;
    const over = current.getBoundingClientRect().right + EDGE - document.documentElement.clientWidth;
    if (over > 0) current.style.marginInlineStart = `${-over}px`;
  }, []);
  useEffect(() => {
    if (takesFocus) panel.current?.querySelector('a')?.focus();
  }, [takesFocus]);
  return (
    <div id={id} ref={panel} className={styles.panel} data-panel={section?.name ?? 'more'}>
      <div className={styles.card}>{contentOf(section, sections, onLeave)}</div>
    </div>
  );
}

function contentOf(section: Section | undefined, sections: readonly Section[], onLeave: () => void) {
  if (!section) return <FoldedSections sections={sections} onLeave={onLeave} />;
  if (!('links' in section)) return null;
  const { name, links } = section;
  if (name === 'community') return <CommunityLinks links={links} onLeave={onLeave} />;
  return <LinkList links={links} layout={name === 'support' ? 'tiles' : 'column'} onLeave={onLeave} />;
}

const resourcePanel = lazyWithRetry(
  async () => (await import('../../../features/community/resource-panel.tsx')).ResourcePanel,
);

type CommunityLinksProps = { links: readonly MenuLink[]; onLeave: () => void };

/** Links of the community, and its current works and activity. */
function CommunityLinks({ links, onLeave }: CommunityLinksProps) {
  const addressOf = useSiteAddress();
  const { deploy_type } = useSite();
  return (
    <div className={styles.community}>
      <LinkList links={links} layout="column" onLeave={onLeave} />
      <div className={styles.resources}>
        <Lazy part={resourcePanel}>
          {(ResourcePanel) => <ResourcePanel addressOf={addressOf} linkedOnly={isPrivate(deploy_type)} />}
        </Lazy>
      </div>
    </div>
  );
}

type FoldedSectionsProps = { sections: readonly Section[]; onLeave: () => void };

/** The sections that don't fit into the row, each with its links. */
function FoldedSections({ sections, onLeave }: FoldedSectionsProps) {
  const t = useTranslations();
  const list = useRef<HTMLUListElement>(null);
  const [hidden, setHidden] = useState<readonly string[]>([]);
  useLayoutEffect(() => {
    const items = list.current?.closest('nav')?.querySelectorAll<HTMLElement>('[data-section]') ?? [];
    const hiddenItems = [...items].filter((item) => item.getClientRects().length === 0);
    setHidden(hiddenItems.map(({ dataset }) => dataset.section ?? ''));
  }, []);
  return (
    <ul ref={list} className={styles.sections}>
      {sections
        .filter(({ name }) => hidden.includes(name))
        .map((section) => (
          <li key={section.name}>
            {'path' in section ? (
              <TargetLink path={section.path} className={styles.link} onClick={onLeave}>
                {t(sectionText(section))}
              </TargetLink>
            ) : (
              <FoldedSection label={t(sectionText(section))} section={section} onLeave={onLeave} />
            )}
          </li>
        ))}
    </ul>
  );
}

type FoldedSectionProps = {
  label: string;
  section: Extract<Section, { links: unknown }>;
  onLeave: () => void;
};

function FoldedSection({ label, section, onLeave }: FoldedSectionProps) {
  const t = useTranslations('headerLinks');
  return (
    <>
      <p className={styles.heading}>{label}</p>
      <ul>
        {section.links.map(({ name, path, newWindow }) => (
          <li key={name}>
            <TargetLink path={path} newWindow={newWindow} className={styles.link} onClick={onLeave}>
              {t(name)}
            </TargetLink>
          </li>
        ))}
      </ul>
    </>
  );
}

type LinkListProps = {
  links: readonly MenuLink[];
  /** `tiles` are in two columns, as wide as the language needs (R 11.10). */
  layout: 'column' | 'tiles';
  onLeave: () => void;
};

/** Links with a description each. */
function LinkList({ links, layout, onLeave }: LinkListProps) {
  const t = useTranslations('headerLinks');
  const { embedded } = useClientContext();
  return (
    <ul className={placeListStyles[layout]}>
      {links.map(({ name, path, newWindow }) => (
        <li key={name}>
          <TargetLink path={path} newWindow={newWindow} className={placeListStyles.place} onClick={onLeave}>
            <span className={placeListStyles.icon}>
              <LinkIcon name={name} />
            </span>
            <span className={placeListStyles.text}>
              <span className={placeListStyles.name}>
                {t(name)}
                {newWindow && !embedded && (
                  <>
                    <ExternalLinkIcon size={12} className={placeListStyles.external} />
                    <VisuallyHidden>{t('new_window')}</VisuallyHidden>
                  </>
                )}
              </span>
              <span className={placeListStyles.about}>{t(`${name}_about`)}</span>
            </span>
          </TargetLink>
        </li>
      ))}
    </ul>
  );
}

const ICONS: Readonly<Record<LinkName, LucideIcon>> = {
  design: PenToolIcon,
  whiteboard: PresentationIcon,
  prototype: SquarePlayIcon,
  works: LayoutDashboardIcon,
  libraries: ComponentIcon,
  plugins: PlugIcon,
  activities: FlagIcon,
  help_center: CircleQuestionMarkIcon,
  design_skills: BookOpenIcon,
  team: UsersIcon,
  private_deployment: ServerIcon,
  customers: MessageSquareTextIcon,
  contact: MailIcon,
  recommend: GiftIcon,
  education: GraduationCapIcon,
  organizations: Building2Icon,
};

function LinkIcon({ name }: { name: LinkName }) {
  const Icon = ICONS[name];
  return <Icon size={18} />;
}
