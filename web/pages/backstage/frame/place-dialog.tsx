import { useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { ConfirmDialog } from '../../../ui/confirm-dialog/confirm-dialog.tsx';
import { useFocusSoon } from '../../../ui/focus/use-focus-soon.ts';
import { NumberInput } from '../../../ui/number-input/number-input.tsx';

type PlaceProps = {
  name: string;
  /** Counted from 1. */
  place: number;
  total: number;
  onMove: (place: number) => void;
  onClose: () => void;
};

/** Asks which place something of an order should have. */
export function PlaceDialog({ name, place, total, onMove, onClose }: PlaceProps) {
  const t = useTranslations('backstage');
  const [wanted, setWanted] = useState(place);
  const [isSame, setIsSame] = useState(false);
  const move = (to: number): void => {
    if (to === place) setIsSame(true);
    else onMove(to);
  };
  return (
    <ConfirmDialog
      open
      title={t('place_title', { name })}
      confirmLabel={t('place_submit')}
      cancelLabel={t('place_cancel')}
      onConfirm={() => move(wanted)}
      onClose={onClose}
    >
      <PlaceField
        value={wanted}
        total={total}
        error={isSame && wanted === place ? t('place_same') : undefined}
        onChange={setWanted}
        onEnter={move}
      />
    </ConfirmDialog>
  );
}

type FieldProps = {
  value: number;
  total: number;
  error: string | undefined;
  onChange: (value: number) => void;
  onEnter: (value: number) => void;
};

function PlaceField({ total, ...field }: FieldProps) {
  const t = useTranslations('backstage');
  const box = useRef<HTMLDivElement>(null);
  useFocusSoon(box);
  return (
    <div ref={box}>
      <NumberInput
        {...field}
        label={t('place')}
        hint={t('place_range', { total })}
        min={1}
        max={total}
        decreaseLabel={t('place_up')}
        increaseLabel={t('place_down')}
      />
    </div>
  );
}
