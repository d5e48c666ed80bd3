import { useTranslations } from 'use-intl';
import { Button } from '../../../ui/button/button.tsx';
import { type RowId, useOrder } from './order-context.ts';

/** The place of a row, and the way to move it far without dragging (WCAG 2.2, 2.5.7). */
export function PlaceButton({ id, name }: { id: RowId; name: string }) {
  const t = useTranslations('backstage');
  const { placeOf, askPlace } = useOrder();
  const place = placeOf(id);
  return (
    <Button
      variant="outline"
      size="s"
      square
      aria-haspopup="dialog"
      aria-label={t('place_of', { place, name })}
      onClick={() => askPlace(id)}
    >
      {place}
    </Button>
  );
}
