import './sign.css';
import { Icon } from '../../ui/icon.tsx';
import { initialsOf, type Person, tintOf } from './person.ts';

/** The round sign before a name: it says nothing that the name does not. */
export function Sign({ person }: { person: Pick<Person, 'id' | 'name' | 'company'> }) {
  return (
    <span class={`sign tint-${tintOf(person.id)}`} aria-hidden="true">
      {initialsOf(person) || <Icon name="contacts" />}
    </span>
  );
}
