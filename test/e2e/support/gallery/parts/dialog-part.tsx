import { useState } from 'react';
import { Button } from '../../../../../web/ui/button/button.tsx';
import { Dialog } from '../../../../../web/ui/dialog/dialog.tsx';
import { RadioGroup } from '../../../../../web/ui/radio-group/radio-group.tsx';

export function DialogPart() {
  const [open, setOpen] = useState(false);
  const [counted, setCounted] = useState(0);
  const [closed, setClosed] = useState(0);
  const [kind, setKind] = useState('one');
  const close = (): void => {
    setOpen(false);
    setClosed((before) => before + 1);
  };
  return (
    <>
      <Button onClick={() => setOpen(true)}>Open</Button>
      <p>closed {closed}</p>
      <Dialog open={open} onClose={close} title="A dialog" closeLabel="Close">
        <Button onClick={() => setCounted((before) => before + 1)}>Count</Button>
        <p>counted {counted}</p>
        <RadioGroup
          label="Kind"
          value={kind}
          onChange={setKind}
          options={[
            { value: 'one', label: 'One' },
            { value: 'two', label: 'Two' },
          ]}
        />
      </Dialog>
    </>
  );
}
