import UploadIcon from 'lucide-react/icons/upload';
import { type ClipboardEvent, type DragEvent, type ReactNode, useId, useState } from 'react';
import { classNames } from '../class-names.ts';
import { describedBy, FieldMessage } from '../field/field.tsx';
import styles from './file-drop.module.css';
import { useLeftOut } from './use-left-out.ts';

type FileDropProps = {
  label: string;
  /** Prompt of the empty field: "Drop a picture here, paste it, or choose one". */
  prompt: ReactNode;
  /** The `accept` attribute of the file input; dropped and pasted files aren't checked against it. */
  accept?: string;
  multiple?: boolean;
  onFiles: (files: File[]) => void;
  /** Files that are not taken: the others where one is, or all while it is disabled. Without it they are named in a toast. */
  onLeftOut?: (files: File[]) => void;
  hint?: ReactNode;
  error?: string | undefined;
  /** At the end of the label's line: "optional", a counter. */
  note?: ReactNode;
  icon?: ReactNode;
  shape?: 'wide' | 'square' | 'picture';
  /** The chosen file, in place of the prompt; the field still accepts another. */
  children?: ReactNode;
  required?: boolean;
  disabled?: boolean;
  name?: string;
};

/** Accepts files: chosen by click or keyboard, dropped, or pasted while focused. */
export function FileDrop({
  label,
  prompt,
  accept,
  multiple = false,
  onFiles,
  onLeftOut,
  hint,
  error,
  note,
  icon = <UploadIcon size={20} />,
  shape = 'wide',
  children,
  ...rest
}: FileDropProps) {
  const id = useId();
  const leaveOut = useLeftOut();
  const [isOver, setIsOver] = useState(false);
  const take = (list: FileList | null): void => {
    const files = [...(list ?? [])];
    const room = rest.disabled ? 0 : multiple ? files.length : 1;
    if (files.length > room) (onLeftOut ?? leaveOut)(files.slice(room));
    if (files.length > 0 && room > 0) onFiles(files.slice(0, room));
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setIsOver(false);
    take(event.dataTransfer.files);
  };
  const paste = (event: ClipboardEvent): void => {
    if (event.clipboardData.files.length === 0) return;
    event.preventDefault();
    take(event.clipboardData.files);
  };
  return (
    <div className={styles.field}>
      <div className={styles.head}>
        <label htmlFor={id} className={styles.label}>
          {label}
        </label>
        {note && (
          <span id={`${id}-note`} className={styles.note}>
            {note}
          </span>
        )}
      </div>
      <div
        role="none"
        className={classNames(styles.zone, styles[shape], isOver && styles.over, error && styles.wrong)}
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={drop}
        onPaste={paste}
      >
        <input
          {...rest}
          id={id}
          type="file"
          className={styles.input}
          accept={accept}
          multiple={multiple}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy(id, { error, hint, note })}
          onChange={(event) => {
            take(event.target.files);
            event.target.value = '';
          }}
        />
        {children ?? (
          <span className={styles.prompt}>
            <span className={styles.icon}>{icon}</span>
            <span>{prompt}</span>
          </span>
        )}
      </div>
      <FieldMessage id={id} hint={hint} error={error} />
    </div>
  );
}
