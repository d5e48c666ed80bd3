import Clock from 'lucide-react/icons/clock';
import Copyright from 'lucide-react/icons/copyright';
import Languages from 'lucide-react/icons/languages';
import LifeBuoy from 'lucide-react/icons/life-buoy';
import Link from 'lucide-react/icons/link';
import Mail from 'lucide-react/icons/mail';
import { glyph } from './glyph.tsx';

export const ClockIcon = /* @__PURE__ */ glyph(Clock);
export const LanguagesIcon = /* @__PURE__ */ glyph(Languages);
export const SupportIcon = /* @__PURE__ */ glyph(LifeBuoy);
export const MailIcon = /* @__PURE__ */ glyph(Mail);
export const CopyrightIcon = /* @__PURE__ */ glyph(Copyright);
export const LinkIcon = /* @__PURE__ */ glyph(Link);
