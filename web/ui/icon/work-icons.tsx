import Copy from 'lucide-react/icons/copy';
import Ellipsis from 'lucide-react/icons/ellipsis';
import EyeOff from 'lucide-react/icons/eye-off';
import History from 'lucide-react/icons/history';
import KeyRound from 'lucide-react/icons/key-round';
import Send from 'lucide-react/icons/send';
import { glyph } from './glyph.tsx';

export const CopyIcon = /* @__PURE__ */ glyph(Copy);
export const MoreIcon = /* @__PURE__ */ glyph(Ellipsis);
export const KeyIcon = /* @__PURE__ */ glyph(KeyRound);
export const HistoryIcon = /* @__PURE__ */ glyph(History);
export const HiddenIcon = /* @__PURE__ */ glyph(EyeOff);
export const SendIcon = /* @__PURE__ */ glyph(Send);
