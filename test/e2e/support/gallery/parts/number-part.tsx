import { useState } from 'react';
import { NumberInput } from '../../../../../web/ui/number-input/number-input.tsx';

export function NumberPart() {
  const [value, setValue] = useState(0);
  const [entered, setEntered] = useState<number>();
  const [place, setPlace] = useState(3);
  return (
    <>
      <NumberInput
        label="Number"
        value={value}
        onChange={setValue}
        onEnter={setEntered}
        decreaseLabel="Less"
        increaseLabel="More"
      />
      <p>
        is {value}, entered {entered ?? 'nothing'}
      </p>
      <NumberInput
        label="Place"
        hint="From 1 to 5"
        size="small"
        min={1}
        max={5}
        value={place}
        onChange={setPlace}
        decreaseLabel="Up"
        increaseLabel="Down"
      />
    </>
  );
}
