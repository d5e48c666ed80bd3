import { Glyph, type IconProps } from './glyph.tsx';

export function HeartIcon({ filled = false, ...props }: IconProps & { filled?: boolean }) {
  return (
    <Glyph {...props}>
      <path
        fill={filled ? 'currentColor' : 'none'}
        d="M12 20.2S3.5 15.3 3.5 9.4A4.7 4.7 0 0 1 12 6.7a4.7 4.7 0 0 1 8.5 2.7c0 5.9-8.5 10.8-8.5 10.8Z"
      />
    </Glyph>
  );
}

export function AlertIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M12 7.5v5.5M12 16.4v.1" />
    </Glyph>
  );
}

export function ShieldCheckIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M12 3 4.5 6v5.5c0 4.5 3.1 8 7.5 9.5 4.4-1.5 7.5-5 7.5-9.5V6L12 3Z" />
      <path d="m8.5 12 2.5 2.5 4.5-5" />
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
