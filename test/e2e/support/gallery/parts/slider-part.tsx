import { useState } from 'react';
import { Slider } from '../../../../../web/ui/slider/slider.tsx';

/** A slider with its defaults, or one that `?min=…&max=…&value=…` make contradict itself. */
export function SliderPart() {
  const query = new URLSearchParams(location.search);
  const [value, setValue] = useState(Number(query.get('value') ?? 20));
  const scale = { ...numberOf(query, 'min'), ...numberOf(query, 'max') };
  return (
    <>
      <Slider
        {...scale}
        label="Zoom"
        value={value}
        onChange={setValue}
        valueText={(now) => `${now} per cent`}
      />
      <p>is {value}</p>
    </>
  );
}

function numberOf(query: URLSearchParams, name: 'min' | 'max'): { min?: number; max?: number } {
  const text = query.get(name);
  return text === null ? {} : { [name]: Number(text) };
}
