import Globe from 'lucide-react/icons/globe';
import Menu from 'lucide-react/icons/menu';
import Monitor from 'lucide-react/icons/monitor';
import Moon from 'lucide-react/icons/moon';
import Sun from 'lucide-react/icons/sun';
import { glyph } from './glyph.tsx';

export const MenuIcon = /* @__PURE__ */ glyph(Menu);
export const SunIcon = /* @__PURE__ */ glyph(Sun);
export const MoonIcon = /* @__PURE__ */ glyph(Moon);
export const MonitorIcon = /* @__PURE__ */ glyph(Monitor);
export const GlobeIcon = /* @__PURE__ */ glyph(Globe);
