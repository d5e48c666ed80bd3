import { Glyph, type IconProps } from './glyph.tsx';

export function ImageIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <rect x="3.5" y="4.5" width="17" height="15" rx="2.5" />
      <circle cx="8.8" cy="9.6" r="1.6" />
      <path d="m4 17 4.8-4.3 3.4 3 3.6-4 4.4 4.6" />
    </Glyph>
  );
}

export function CodeFileIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M13.5 3.5h-6a2 2 0 0 0-2 2v13a2 2 0 0 0 2 2h9a2 2 0 0 0 2-2v-10l-5-5Z" />
      <path d="M13.5 3.5v5h5M10 12l-2 2.3 2 2.2M14 12l2 2.3-2 2.2" />
    </Glyph>
  );
}

export function PencilIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="m4 20 .9-4.2L16 4.7a1.7 1.7 0 0 1 2.4 0l.9.9a1.7 1.7 0 0 1 0 2.4L8.2 19.1 4 20ZM14 6.7l3.3 3.3" />
    </Glyph>
  );
}
