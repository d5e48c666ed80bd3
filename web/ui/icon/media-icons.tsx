import Pause from 'lucide-react/icons/pause';
import Play from 'lucide-react/icons/play';
import { glyph } from './glyph.tsx';

export const PlayIcon = /* @__PURE__ */ glyph(Play, { fill: 'currentColor' });
export const PauseIcon = /* @__PURE__ */ glyph(Pause, { fill: 'currentColor' });
