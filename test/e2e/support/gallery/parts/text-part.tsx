import { useState } from 'react';
import { SearchInput } from '../../../../../web/ui/search-input/search-input.tsx';
import { TextField } from '../../../../../web/ui/text-field/text-field.tsx';

export function TextPart() {
  const [name, setName] = useState('');
  const [word, setWord] = useState('');
  const [secret, setSecret] = useState('');
  const [entered, setEntered] = useState(0);
  return (
    <>
      <TextField
        label="Name"
        size="small"
        maxLength={5}
        clearLabel="Clear"
        value={name}
        onValueChange={setName}
        onEnter={() => setEntered(entered + 1)}
      />
      <SearchInput label="Search" value={word} onValueChange={setWord} clearLabel="Clear search" />
      <TextField
        label="Password"
        type="password"
        revealLabel="Show password"
        value={secret}
        onValueChange={setSecret}
      />
      <p>entered {entered}</p>
    </>
  );
}
