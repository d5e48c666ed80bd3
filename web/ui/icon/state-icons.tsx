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
