import Bell from 'lucide-react/icons/bell';
import LogOut from 'lucide-react/icons/log-out';
import Package from 'lucide-react/icons/package';
import ShieldCheck from 'lucide-react/icons/shield-check';
import Upload from 'lucide-react/icons/upload';
import User from 'lucide-react/icons/user';
import { glyph } from './glyph.tsx';

export const UserIcon = /* @__PURE__ */ glyph(User);
export const SignOutIcon = /* @__PURE__ */ glyph(LogOut);
export const PackageIcon = /* @__PURE__ */ glyph(Package);
export const UploadIcon = /* @__PURE__ */ glyph(Upload);
export const ShieldCheckIcon = /* @__PURE__ */ glyph(ShieldCheck);
export const BellIcon = /* @__PURE__ */ glyph(Bell);
