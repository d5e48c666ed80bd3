import { Glyph, type IconProps } from './glyph.tsx';

export function EyeIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Z" />
      <circle cx="12" cy="12" r="2.8" />
    </Glyph>
  );
}

export function LayersIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="m12 3.5 8.5 4.7-8.5 4.7-8.5-4.7L12 3.5ZM3.8 12.5l8.2 4.5 8.2-4.5M3.8 16.5l8.2 4.5 8.2-4.5" />
    </Glyph>
  );
}
