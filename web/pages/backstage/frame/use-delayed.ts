import { useEffect, useState } from 'react';

/** Milliseconds of rest after which what was typed is looked for. */
const REST = 250;

/** A value as it was when it last rested: searching waits until typing pauses. */
export function useDelayed<T>(value: T): T {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), REST);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
}
