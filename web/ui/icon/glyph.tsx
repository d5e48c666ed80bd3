import type Icon from 'lucide-react/icons/search';

export type IconProps = { size?: number; className?: string | undefined };

/** An icon of Lucide as this site shows it: 16 pixels unless told, and lines that are as strong at every size. */
export function glyph(LucideIcon: typeof Icon, { fill = 'none' }: { fill?: string } = {}) {
  return function Glyph({ size = 16, className }: IconProps) {
    return (
      <LucideIcon
        size={size}
        strokeWidth={size > 20 ? 1.6 : 1.9}
        fill={fill}
        {...(className !== undefined && { className })}
        aria-hidden="true"
        focusable="false"
      />
    );
  };
}
