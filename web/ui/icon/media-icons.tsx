import { Glyph, type IconProps } from './glyph.tsx';

export function PlayIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path fill="currentColor" d="M7 4.5v15l12-7.5-12-7.5Z" />
    </Glyph>
  );
}

export function PauseIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path strokeWidth="5" d="M7.5 5v14M16.5 5v14" />
    </Glyph>
  );
}
