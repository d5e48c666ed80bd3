import { useRef, useState } from 'react';
import { Button } from '../../../../../web/ui/button/button.tsx';
import { TextField } from '../../../../../web/ui/text-field/text-field.tsx';
import { useAutoFocus } from '../../../../../web/ui/use-auto-focus.ts';

export function FocusPart() {
  const [shown, setShown] = useState(false);
  return (
    <>
      <Button onClick={() => setShown(true)}>Show</Button>
      {shown && <Form />}
    </>
  );
}

function Form() {
  const place = useRef<HTMLDivElement>(null);
  const [text, setText] = useState('');
  useAutoFocus(place);
  return (
    <div ref={place}>
      <TextField label="Name" value={text} onValueChange={setText} />
    </div>
  );
}
