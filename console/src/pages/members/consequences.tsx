import { useNames } from '../../names.ts';
import type { Revocations } from '../../types.ts';
import { Check } from '../../ui/field.tsx';

interface Props {
  beyond: Revocations | undefined;
  isKept: boolean;
  onKept: (isKept: boolean) => void;
}

/** Keys and invitations that end with the rights taken away, and a choice to keep them. */
export function Consequences({ beyond, isKept, onKept }: Props) {
  const names = useNames();
  const { keys = [], invitations = [] } = beyond ?? {};
  if (keys.length + invitations.length === 0) return null;
  return (
    <div class="note note-warn">
      <div>
        <p>This also ends what they created:</p>
        <ul>
          {keys.map((id) => (
            <li key={id}>
              Key <strong>{names.keys.get(id) ?? id}</strong>: revoked
            </li>
          ))}
          {invitations.map((id) => (
            <li key={id}>
              Invitation of <strong>{names.members.get(id) ?? id}</strong>: withdrawn
            </li>
          ))}
        </ul>
        <Check label="Keep these keys and invitations" isOn={isKept} onChange={onKept} />
      </div>
    </div>
  );
}
