import type { ComponentProps, MouseEvent } from 'react';
import { addressFrom, addressOf, locationFrom } from './page-location.ts';
import type { NavigateOptions } from './router.ts';
import { useLocation, useNavigate } from './router-context.ts';

type LinkProps = Omit<ComponentProps<'a'>, 'href'> & NavigateOptions & { to: string };

/**
 * A link to another page of this site, followed without loading a document. What the browser itself does with a link, such
 * as opening it in a new tab, is left to it. A link to the page on screen adds no entry to the history.
 */
export function Link({ to, replace, state, preventScrollReset, onClick, target, ...rest }: LinkProps) {
  const location = useLocation();
  const navigate = useNavigate();
  const follow = (event: MouseEvent<HTMLAnchorElement>): void => {
    onClick?.(event);
    const isOwn = event.button === 0 && (target === undefined || target === '_self');
    if (event.defaultPrevented || !isOwn || isModified(event)) return;
    event.preventDefault();
    const isHere = addressOf(locationFrom(location, to, null)) === addressOf(location);
    navigate(to, { replace: replace ?? isHere, state, preventScrollReset });
  };
  return <a {...rest} href={addressFrom(location, to)} target={target} onClick={follow} />;
}

/** The browser's own ways to open a link in another tab or window, or to save it. */
export function isModified({ metaKey, altKey, ctrlKey, shiftKey }: MouseEvent): boolean {
  return metaKey || altKey || ctrlKey || shiftKey;
}
