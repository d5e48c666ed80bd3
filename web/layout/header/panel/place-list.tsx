import BookOpen from 'lucide-react/icons/book-open';
import Building2 from 'lucide-react/icons/building-2';
import CircleQuestionMark from 'lucide-react/icons/circle-question-mark';
import Component from 'lucide-react/icons/component';
import Flag from 'lucide-react/icons/flag';
import Gift from 'lucide-react/icons/gift';
import GraduationCap from 'lucide-react/icons/graduation-cap';
import LayoutDashboard from 'lucide-react/icons/layout-dashboard';
import Mail from 'lucide-react/icons/mail';
import MessageSquareText from 'lucide-react/icons/message-square-text';
import PenTool from 'lucide-react/icons/pen-tool';
import Plug from 'lucide-react/icons/plug';
import Presentation from 'lucide-react/icons/presentation';
import Server from 'lucide-react/icons/server';
import SquarePlay from 'lucide-react/icons/square-play';
import Users from 'lucide-react/icons/users';
import type { ComponentType } from 'react';
import { useTranslations } from 'use-intl';
import { glyph, type IconProps } from '../../../ui/icon/glyph.tsx';
import { ExternalIcon } from '../../../ui/icon/way-icons.tsx';
import { VisuallyHidden } from '../../../ui/visually-hidden/visually-hidden.tsx';
import { useClientContext } from '../../use-client-context.ts';
import { TargetLink } from '../target-link.tsx';
import type { Place, PlaceName } from '../targets/target.ts';
import styles from './place-list.module.css';

type Props = {
  places: readonly Place[];
  /** `tiles` stand two by two, as wide as the language needs (specification section 9). */
  layout: 'column' | 'tiles';
  onLeave: () => void;
};

/** Places with a line about each. */
export function PlaceList({ places, layout, onLeave }: Props) {
  const t = useTranslations('headerLinks');
  const { embedded } = useClientContext();
  return (
    <ul className={styles[layout]}>
      {places.map(({ name, path, newWindow }) => (
        <li key={name}>
          <TargetLink path={path} newWindow={newWindow} className={styles.place} onClick={onLeave}>
            <span className={styles.icon}>
              <PlaceIcon name={name} />
            </span>
            <span className={styles.text}>
              <span className={styles.name}>
                {t(name)}
                {newWindow && !embedded && (
                  <>
                    <ExternalIcon size={12} className={styles.external} />
                    <VisuallyHidden>{t('new_window')}</VisuallyHidden>
                  </>
                )}
              </span>
              <span className={styles.about}>{t(`${name}_about`)}</span>
            </span>
          </TargetLink>
        </li>
      ))}
    </ul>
  );
}

const ICONS: Readonly<Record<PlaceName, ComponentType<IconProps>>> = {
  design: glyph(PenTool),
  whiteboard: glyph(Presentation),
  prototype: glyph(SquarePlay),
  works: glyph(LayoutDashboard),
  libraries: glyph(Component),
  plugins: glyph(Plug),
  activities: glyph(Flag),
  help_center: glyph(CircleQuestionMark),
  design_skills: glyph(BookOpen),
  team: glyph(Users),
  private_deployment: glyph(Server),
  customers: glyph(MessageSquareText),
  contact: glyph(Mail),
  recommend: glyph(Gift),
  education: glyph(GraduationCap),
  organizations: glyph(Building2),
};

/** The sign of a place. */
function PlaceIcon({ name }: { name: PlaceName }) {
  const Icon = ICONS[name];
  return <Icon size={18} />;
}
