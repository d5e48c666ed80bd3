import FileCode from 'lucide-react/icons/file-code';
import Image from 'lucide-react/icons/image';
import Pencil from 'lucide-react/icons/pencil';
import { glyph } from './glyph.tsx';

export const ImageIcon = /* @__PURE__ */ glyph(Image);
export const CodeFileIcon = /* @__PURE__ */ glyph(FileCode);
export const PencilIcon = /* @__PURE__ */ glyph(Pencil);
