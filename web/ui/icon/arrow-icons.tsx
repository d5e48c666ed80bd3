import ChevronDown from 'lucide-react/icons/chevron-down';
import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { glyph } from './glyph.tsx';

export const ChevronLeftIcon = /* @__PURE__ */ glyph(ChevronLeft);
export const ChevronRightIcon = /* @__PURE__ */ glyph(ChevronRight);
export const ChevronDownIcon = /* @__PURE__ */ glyph(ChevronDown);
