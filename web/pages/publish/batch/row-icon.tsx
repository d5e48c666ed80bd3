import { useEffect, useState } from 'react';
import type { PictureChoice } from '../../../features/publishing/files/files.ts';
import { CodeFileIcon } from '../../../ui/icon/file-icons.tsx';
import styles from './batch-table.module.css';

type RowIconProps = { icon: Uint8Array | null; chosen: PictureChoice | undefined; name: string };

/** The icon that was chosen or a package brings, else the first letter of its name. Decorative: the name stands beside it. */
export function RowIcon({ icon, chosen, name }: RowIconProps) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!icon) return setUrl(undefined);
    const made = URL.createObjectURL(new Blob([new Uint8Array(icon)]));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [icon]);
  const shown = chosen?.state === 'chosen' ? chosen.url : chosen ? undefined : url;
  if (shown !== undefined)
    return <img className={styles.icon} src={shown} alt="" onError={() => setUrl(undefined)} />;
  return (
    <span className={styles.letter} aria-hidden="true">
      {[...name][0] ?? <CodeFileIcon size={18} />}
    </span>
  );
}
