import { useState } from 'react';
import { SegmentedChoice } from '../../../../../web/ui/segmented/segmented-choice.tsx';

export function RadioPart() {
  const [value, setValue] = useState('day');
  return (
    <SegmentedChoice
      label="Span"
      value={value}
      onChange={setValue}
      options={['day', 'week', 'month'].map((name) => ({ value: name, label: name }))}
    />
  );
}
