import ChevronDownIcon from 'lucide-react/icons/chevron-down';
import { type ReactNode, useId, useState } from 'react';
import styles from './disclosure.module.css';

type DisclosureProps = {
  icon?: ReactNode;
  label: ReactNode;
  /** At the end of the line, collapsed or not. */
  note?: ReactNode;
  defaultOpen?: boolean;
  children: ReactNode;
};

/** A collapsible section; its content is first rendered when opened. */
export function Disclosure({ icon, label, note, defaultOpen = false, children }: DisclosureProps) {
  const id = useId();
  const [open, setOpen] = useState(defaultOpen);
  const [wanted, setWanted] = useState(defaultOpen);
  const toggle = (): void => {
    setWanted(true);
    setOpen(!open);
  };
  return (
    <div>
      <button type="button" className={styles.line} aria-expanded={open} aria-controls={id} onClick={toggle}>
        {icon}
        <span className={styles.label}>{label}</span>
        {note}
        <ChevronDownIcon size={14} className={styles.arrow} />
      </button>
      <div id={id} className={styles.content} hidden={!open}>
        {wanted && children}
      </div>
    </div>
  );
}
