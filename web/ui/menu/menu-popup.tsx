import { Menu } from '@base-ui/react/menu';
import CheckIcon from 'lucide-react/icons/check';
import { type ReactNode, type RefObject, useRef } from 'react';
import { classNames } from '../class-names.ts';
import layer from '../popup.module.css';
import styles from './menu.module.css';
import type { MenuItem } from './menu.tsx';

type MenuPopupProps = {
  anchor: RefObject<HTMLButtonElement | null>;
  label: string | undefined;
  heading: ReactNode;
  items: readonly MenuItem[];
  align: 'start' | 'center' | 'end';
  open: boolean;
  onOpenChange: (open: boolean) => void;
};

/** The layer of a menu; loaded on first use. */
export function MenuPopup({ anchor, label, heading, items, align, open, onOpenChange }: MenuPopupProps) {
  const change = (next: boolean, details: { event: Event; cancel: () => void }): void => {
    const { target } = details.event;
    if (!next && target instanceof Node && anchor.current?.contains(target)) details.cancel();
    else onOpenChange(next);
  };
  const popup = useRef<HTMLDivElement>(null);
  /** Focus that has moved on, as into a dialog that an item opened, stays there. */
  const returnFocus = (): HTMLElement | null | false => {
    const { activeElement, body } = document;
    const isLost = activeElement === null || activeElement === body;
    return isLost || popup.current?.contains(activeElement) ? anchor.current : false;
  };
  return (
    <Menu.Root open={open} onOpenChange={change} modal={false}>
      <Menu.Portal>
        <Menu.Positioner className={layer.positioner} anchor={anchor} align={align} sideOffset={8}>
          <Menu.Popup
            ref={popup}
            className={classNames(layer.popup, styles.menu)}
            aria-label={label}
            finalFocus={returnFocus}
          >
            {heading && <div className={styles.heading}>{heading}</div>}
            {items.map((item) => (
              <Line key={item.key} item={item} />
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

function Line({ item }: { item: MenuItem }) {
  const content = (
    <>
      {item.icon}
      <span className={layer.text}>{item.label}</span>
      {item.checked && <CheckIcon className={layer.check} />}
    </>
  );
  const shared = { className: layer.item, lang: item.lang };
  if (item.href !== undefined)
    return (
      <Menu.LinkItem
        {...shared}
        href={item.href}
        {...(item.newWindow && { target: '_blank', rel: 'noopener' })}
        onClick={item.onSelect}
        closeOnClick
      >
        {content}
      </Menu.LinkItem>
    );
  if (item.checked !== undefined)
    return (
      <Menu.CheckboxItem {...shared} checked={item.checked} onClick={item.onSelect} closeOnClick>
        {content}
      </Menu.CheckboxItem>
    );
  return (
    <Menu.Item {...shared} onClick={item.onSelect}>
      {content}
    </Menu.Item>
  );
}
