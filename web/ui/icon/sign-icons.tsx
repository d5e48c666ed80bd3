import GlobeLock from 'lucide-react/icons/globe-lock';
import Info from 'lucide-react/icons/info';
import Minus from 'lucide-react/icons/minus';
import Plus from 'lucide-react/icons/plus';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { glyph } from './glyph.tsx';

export const MinusIcon = /* @__PURE__ */ glyph(Minus);
export const PlusIcon = /* @__PURE__ */ glyph(Plus);
export const InfoIcon = /* @__PURE__ */ glyph(Info);
export const WarningIcon = /* @__PURE__ */ glyph(TriangleAlert);
export const GlobeAccessIcon = /* @__PURE__ */ glyph(GlobeLock);
