import CircleAlert from 'lucide-react/icons/circle-alert';
import Heart from 'lucide-react/icons/heart';
import Star from 'lucide-react/icons/star';
import { glyph, type IconProps } from './glyph.tsx';

const Outlined = /* @__PURE__ */ glyph(Heart);
const Filled = /* @__PURE__ */ glyph(Heart, { fill: 'currentColor' });

export function HeartIcon({ filled = false, ...props }: IconProps & { filled?: boolean }) {
  return filled ? <Filled {...props} /> : <Outlined {...props} />;
}

export const AlertIcon = /* @__PURE__ */ glyph(CircleAlert);
export const StarIcon = /* @__PURE__ */ glyph(Star, { fill: 'currentColor' });
