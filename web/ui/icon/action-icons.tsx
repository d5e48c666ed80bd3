import Check from 'lucide-react/icons/check';
import Download from 'lucide-react/icons/download';
import RefreshCw from 'lucide-react/icons/refresh-cw';
import Search from 'lucide-react/icons/search';
import Trash2 from 'lucide-react/icons/trash-2';
import X from 'lucide-react/icons/x';
import { glyph } from './glyph.tsx';

export const SearchIcon = /* @__PURE__ */ glyph(Search);
export const CloseIcon = /* @__PURE__ */ glyph(X);
export const InstallIcon = /* @__PURE__ */ glyph(Download);
export const CheckIcon = /* @__PURE__ */ glyph(Check);
export const RefreshIcon = /* @__PURE__ */ glyph(RefreshCw);
export const TrashIcon = /* @__PURE__ */ glyph(Trash2);
