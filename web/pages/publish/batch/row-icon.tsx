import { useEffect, useState } from 'react';
import { CodeFileIcon } from '../../../ui/icon/file-icons.tsx';
import styles from './batch-table.module.css';

/** The icon a package brings, else the first letter of its name. Decorative: the name stands beside it. */
export function RowIcon({ icon, name }: { icon: Uint8Array | null; name: string }) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!icon) return setUrl(undefined);
    const made = URL.createObjectURL(new Blob([new Uint8Array(icon)]));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [icon]);
  if (url !== undefined)
    return <img className={styles.icon} src={url} alt="" onError={() => setUrl(undefined)} />;
  return (
    <span className={styles.letter} aria-hidden="true">
      {[...name][0] ?? <CodeFileIcon size={18} />}
    </span>
  );
}
