import { Glyph, type IconProps } from './glyph.tsx';

export function MinusIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M5 12h14" />
    </Glyph>
  );
}

export function PlusIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M5 12h14M12 5v14" />
    </Glyph>
  );
}

export function InfoIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M12 11.2v5M12 7.6v.1" />
    </Glyph>
  );
}

export function WarningIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M10.6 4.6 3.3 17.4a1.6 1.6 0 0 0 1.4 2.4h14.6a1.6 1.6 0 0 0 1.4-2.4L13.4 4.6a1.6 1.6 0 0 0-2.8 0Z" />
      <path d="M12 9.5v4M12 16.6v.1" />
    </Glyph>
  );
}

export function GlobeAccessIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M20.5 11A8.5 8.5 0 1 0 11 20.5M3.5 12h9.5M12 3.5C9.6 6 8.4 8.8 8.4 12s1.2 6 3.6 8.5M12 3.5c2 2.1 3.2 4.5 3.5 7" />
      <path d="m14 14 2.5 6.5 1.3-2.7 2.7-1.3L14 14Z" />
    </Glyph>
  );
}
