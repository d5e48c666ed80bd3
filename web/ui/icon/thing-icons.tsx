import Eye from 'lucide-react/icons/eye';
import Layers from 'lucide-react/icons/layers';
import { glyph } from './glyph.tsx';

export const EyeIcon = /* @__PURE__ */ glyph(Eye);
export const LayersIcon = /* @__PURE__ */ glyph(Layers);
