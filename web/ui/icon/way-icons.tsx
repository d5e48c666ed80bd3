import ArrowLeft from 'lucide-react/icons/arrow-left';
import ArrowRight from 'lucide-react/icons/arrow-right';
import ExternalLink from 'lucide-react/icons/external-link';
import House from 'lucide-react/icons/house';
import { glyph } from './glyph.tsx';

export const ArrowLeftIcon = /* @__PURE__ */ glyph(ArrowLeft);
export const ArrowRightIcon = /* @__PURE__ */ glyph(ArrowRight);
export const ExternalIcon = /* @__PURE__ */ glyph(ExternalLink);
export const HomeIcon = /* @__PURE__ */ glyph(House);
