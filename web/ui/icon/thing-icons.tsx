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

export function PackageIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="m12 3 8 4.5v9L12 21l-8-4.5v-9L12 3ZM4.2 7.7 12 12l7.8-4.3M12 12v8.8M8 5.3l8 4.4" />
    </Glyph>
  );
}

export function UploadIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M12 16V4.5M7 9l5-5 5 5M4.5 15.5v3a2 2 0 0 0 2 2h11a2 2 0 0 0 2-2v-3" />
    </Glyph>
  );
}
