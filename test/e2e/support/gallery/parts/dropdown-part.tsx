import { useState } from 'react';
import { Menu } from '../../../../../web/ui/menu/menu.tsx';
import { Select } from '../../../../../web/ui/select/select.tsx';

const MANY = Array.from({ length: 100 }, (_, index) => `Choice ${index + 1}`);

export function DropdownPart() {
  const [value, setValue] = useState('');
  return (
    <>
      <Menu items={MANY.map((label) => ({ key: label, label, onSelect: () => setValue(label) }))}>Menu</Menu>
      <Select
        label="Select"
        value={value}
        onChange={setValue}
        options={MANY.map((label) => ({ value: label, label }))}
        placeholder="None"
      />
      <p>chosen {value}</p>
    </>
  );
}
