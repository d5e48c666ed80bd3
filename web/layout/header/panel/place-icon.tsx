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
import { glyph, type IconProps } from '../../../ui/icon/glyph.tsx';
import type { PlaceName } from '../targets/target.ts';

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
export function PlaceIcon({ name }: { name: PlaceName }) {
  const Icon = ICONS[name];
  return <Icon size={18} />;
}
