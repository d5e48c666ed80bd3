import { CountBadge } from '../../../../../web/ui/badge/badge.tsx';

export function BadgePart() {
  return (
    <ul>
      {[0, 99, 100, 12_345].map((count) => (
        <li key={count}>
          <CountBadge count={count} label={`${count} waiting`} />
        </li>
      ))}
    </ul>
  );
}
